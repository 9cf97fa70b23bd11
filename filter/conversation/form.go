package conversation

// form is how the bodies of one API are read.
type form struct {
	// turns is the parameter that holds the conversation.
	turns string
	// confusedWith is the API whose bodies clients send to this one's path.
	confusedWith API
	// member reads the value of one top-level parameter.
	member func(r *reader, name []byte) error
	// limits are the parameters that bound the answer, in tokens; the first that
	// is there counts.
	limits []string
	// formats are the paths at which the answer's format stands.
	formats []string
	// finish draws from several parameters what only this API has.
	finish func(r *reader) error
}

// forms has the APIs that Read reads.
var forms = map[API]*form{
	OpenAIChat: {
		turns:        "messages",
		confusedWith: OpenAIResponses,
		member:       (*reader).chatMember,
		limits:       []string{"max_completion_tokens", "max_tokens"}, // its name, and its older one
		formats:      []string{"response_format"},
		finish:       (*reader).needMessages,
	},
	OpenAIResponses: {
		turns:        "input",
		confusedWith: OpenAIChat,
		member:       (*reader).responsesMember,
		limits:       []string{"max_output_tokens"},
		formats:      []string{"text.format"},
		finish:       (*reader).finishResponses,
	},
	AnthropicMessages: {
		turns:   "messages",
		member:  (*reader).messagesMember,
		limits:  []string{"max_tokens"},
		formats: []string{"output_config.format", "output_format"}, // its name, and its older one
		finish:  (*reader).finishMessages,
	},
}

// parameter reads a parameter that all APIs have in much the same form.
func (r *reader) parameter(name []byte) error {
	kind := r.peek()
	span, err := r.value()
	if err != nil {
		return err
	}
	switch string(name) {
	case "model":
		r.req.model = span
		if kind == '"' {
			r.req.Model, r.req.HasModel = string(decode(span.of(r.req.Body))), true
		}
	case "stream":
		r.req.Stream = kind == 't'
	}
	return nil
}

// tools counts the tools that are offered and estimates their definitions.
func (r *reader) tools() error {
	if r.peek() != '[' {
		_, err := r.value()
		return err
	}
	return r.array(func() error {
		span, err := r.value()
		r.req.ToolCount++
		r.req.Tokens += estimateJSON(span.of(r.req.Body))
		return err
	})
}

// finish draws together what several parameters say, whatever their order.
func (r *reader) finish() error {
	if err := r.form.finish(r); err != nil {
		return err
	}
	req := r.req
	if req.ToolCount > 0 {
		req.Needs |= Tools
	}
	for _, path := range r.form.formats {
		if kind, _ := req.Parameter(path + ".type"); kind == "json_schema" {
			req.Needs |= JSONSchema
			schema, _ := req.Parameter(path)
			req.Tokens += estimateJSON([]byte(schema))
		}
	}
	for _, name := range r.form.limits {
		if limit, named := req.Parameter(name); named {
			req.RequestedOutput = tokenLimit(limit)
			break
		}
	}
	for i := range req.Turns {
		req.Tokens += req.Turns[i].Tokens
	}
	return nil
}
