package config

// limits refuses a bound on what is held at once that the largest body is above:
// it would always be answered with 503.
func (c checker) limits() {
	held, largest := c.GetLimits().GetMaxInflightBytes(), c.GetLimits().GetMaxBodyBytes()
	if held > 0 && held < largest {
		c.addf("limits.max_inflight_bytes", "must be at least max_body_bytes (is %d, and max_body_bytes is %d)", held, largest)
	}
}
