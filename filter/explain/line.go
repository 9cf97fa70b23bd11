package explain

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/pointsman/pointsman/filter"
	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/filter/dialect"
)

// The lines of output, one type for each thing that can become of a request.
type (
	routed struct {
		Decision        json.RawMessage   `json:"decision"`
		SetHeaders      map[string]string `json:"set_headers"`
		RemoveHeaders   []string          `json:"remove_headers"`
		Body            string            `json:"body"`
		ClassifierInput *classifierInput  `json:"classifier_input,omitempty"`
	}
	passedThrough struct {
		PassedThrough bool              `json:"passed_through"`
		SetHeaders    map[string]string `json:"set_headers"`
		RemoveHeaders []string          `json:"remove_headers"`
		Body          string            `json:"body"`
	}
	answered struct {
		ImmediateResponse immediateResponse `json:"immediate_response"`
	}
	immediateResponse struct {
		Status  int               `json:"status"`
		Headers map[string]string `json:"headers"`
		Body    string            `json:"body"`
	}
	classifierInput struct {
		Instruction string `json:"instruction"`
		Text        string `json:"text"`
	}
	unreadable struct {
		Error string `json:"error"`
	}
)

// explainLine explains one line. ok is false for a line that cannot be read.
func explainLine(pipeline *filter.Pipeline, line []byte, number int, options Options) (answer any, ok, isBlank bool) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil, true, true
	}
	req, err := parse(line)
	if err != nil {
		return unreadable{fmt.Sprintf("line %d: %v", number, err)}, false, false
	}
	if unread := req.unread(); len(unread) > 0 && options.Notes != nil {
		_, _ = fmt.Fprintf(options.Notes, "line %d: ignored: %q; what is read is method, path, headers and body\n", number, unread)
	}
	answer, err = explain(pipeline, req, options)
	if err != nil {
		return unreadable{fmt.Sprintf("line %d: %v", number, err)}, false, false
	}
	return answer, true, false
}

func explain(pipeline *filter.Pipeline, req request, options Options) (any, error) {
	admitted, verdict := pipeline.Admit(req.head())
	body := []byte(req.Body)
	if admitted != nil {
		verdict = admitted.Decide(context.Background(), body) // nothing is waited for
	}
	switch {
	case verdict.Answer != nil:
		return answer(*verdict.Answer), nil
	case verdict.PassedThrough:
		return passedThrough{true, headers(verdict.Set), verdict.Remove, req.Body}, nil
	}
	text, err := decision.JSON(verdict.Decision)
	if err != nil {
		return nil, err
	}
	line := routed{Decision: text, SetHeaders: headers(verdict.Set), RemoveHeaders: verdict.Remove, Body: string(verdict.Upstream())}
	if options.ShowInput {
		framed, err := admitted.Framed(body)
		if err != nil {
			return nil, err
		}
		line.ClassifierInput = &classifierInput{Instruction: framed.Instruction, Text: framed.Text}
	}
	return line, nil
}

func answer(response dialect.Response) answered {
	return answered{immediateResponse{
		Status:  response.Status,
		Headers: map[string]string{"content-type": dialect.ContentType},
		Body:    string(response.Body),
	}}
}

func headers(set []filter.Header) map[string]string {
	out := make(map[string]string, len(set))
	for _, header := range set {
		out[header.Name] = header.Value
	}
	return out
}

func writeLine(out io.Writer, line any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(line)
}
