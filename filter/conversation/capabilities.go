package conversation

// Capabilities is a set of things that a model must be capable of to take a
// request.
type Capabilities uint8

// The capabilities.
const (
	Tools      Capabilities = 1 << iota // tools are offered
	Vision                              // an image is attached
	Documents                           // a document is attached
	JSONSchema                          // the answer must follow a JSON schema
	// Sealed is reasoning that only the family that wrote it can read, carried
	// or asked for.
	Sealed
	// State is a part of the conversation that only the provider that holds it
	// has.
	State
)

// needs notes an attachment that a model must be capable of taking.
func (r *reader) needs(attachment Capabilities) {
	r.req.Needs |= attachment
	r.req.attached[attachment]++
}

// NeedsWithout is what a model must be capable of once so many images and
// documents are left out.
func (r *Request) NeedsWithout(images, documents int) Capabilities {
	needs := r.Needs
	if images > 0 && images >= r.attached[Vision] {
		needs &^= Vision
	}
	if documents > 0 && documents >= r.attached[Documents] {
		needs &^= Documents
	}
	return needs
}

// Has reports whether every capability of want is in the set.
func (c Capabilities) Has(want Capabilities) bool { return c&want == want }

// Names lists the set by the names that configuration and records use, in a
// fixed order.
func (c Capabilities) Names() []string {
	var names []string
	for _, known := range [...]struct {
		bit  Capabilities
		name string
	}{
		{Tools, "tools"},
		{Vision, "vision"},
		{Documents, "documents"},
		{JSONSchema, "json_schema"},
		{Sealed, "sealed_reasoning"},
		{State, "held_state"},
	} {
		if c.Has(known.bit) {
			names = append(names, known.name)
		}
	}
	return names
}
