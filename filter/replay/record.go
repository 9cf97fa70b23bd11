package replay

// record is what one policy did to one session.
type record struct {
	calls    []usage // by model call
	changed  int     // requests in which something is pruned
	breaks   int     // requests that do not begin with the one before
	pruned   int     // results that are pruned in some request
	needed   int     // those of them that were needed again
	replaced int     // in the session's last request, as the decision says
	trimmed  int     // the same
}

func (r *record) usage() (total usage) {
	for _, call := range r.calls {
		total = total.plus(call)
	}
	return total
}

// observer draws up the record of a policy, request by request.
type observer struct {
	record

	meter meter
	risk  risk
}

func (o *observer) observe(h *history, sent []*piece) {
	before := o.meter.previous
	u, kept := o.meter.next(sent)
	o.calls = append(o.calls, u)
	if kept < len(before) {
		o.breaks++
	}
	if h.changed(sent) {
		o.changed++
	}
	o.risk.observe(h, before, sent, kept)
}

// done counts up.
func (o *observer) done() { o.pruned, o.needed = count(o.risk.pruned), count(o.risk.needed) }

// changed reports whether a request is sent other than recorded.
func (h *history) changed(sent []*piece) bool {
	for i, p := range sent {
		if p != h.pieces[i] {
			return true
		}
	}
	return false
}
