package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/pointsman/pointsman/filter/decision"
	"github.com/pointsman/pointsman/test/provider"
)

// received is what a provider has of an exchange, and the cluster it is behind.
func (r *rig) received(x *exchange) (cluster string, body []byte, err error) {
	var found []provider.Request
	for _, one := range r.standIns {
		if requests := one.Requests(x.name); len(requests) > 0 {
			cluster, found = one.cluster, append(found, requests...)
		}
	}
	if len(found) != 1 {
		return "", nil, fmt.Errorf("%d requests reached a provider, want 1", len(found))
	}
	if kept := int64(len(found[0].Body)); kept != found[0].BodyLength {
		return "", nil, fmt.Errorf("the provider has kept %d of %d bytes", kept, found[0].BodyLength)
	}
	return cluster, found[0].Body, nil
}

// onlyModelChanged is nil where the provider of the decision's cluster received
// what the client sent, byte for byte, with the decision's model in place of
// the one that was asked for.
func (r *rig) onlyModelChanged(x *exchange, d *decision.Decision) error {
	cluster, body, err := r.received(x)
	if err != nil {
		return err
	}
	if cluster != d.GetCluster() {
		return fmt.Errorf("it reached %s, want %s", cluster, d.GetCluster())
	}
	return onlyModelChanged(x.body, body, d.GetRequestedModel(), d.GetUpstreamModel())
}

func onlyModelChanged(sent, received []byte, asked, became string) error {
	old, renamed := fmt.Appendf(nil, `"model":%q`, asked), fmt.Appendf(nil, `"model":%q`, became)
	if count := bytes.Count(sent, old); count != 1 {
		return fmt.Errorf("the client's body has %s %d times, want 1", old, count)
	}
	want := bytes.Replace(sent, old, renamed, 1)
	if bytes.Equal(want, received) {
		return nil
	}
	at := 0
	for at < min(len(want), len(received)) && want[at] == received[at] {
		at++
	}
	return fmt.Errorf("more than the model changed on the way, first at byte %d:\n  want …%s…\n  got  …%s…",
		at, around(want, at), around(received, at))
}

func around(body []byte, at int) []byte {
	const before, after = 20, 60
	return body[max(0, at-before):min(len(body), at+after)]
}

// sameButModel is nil where a provider received the same JSON as the client
// sent, apart from the model, in whichever order and spelling.
func (r *rig) sameButModel(x *exchange) error {
	_, body, err := r.received(x)
	if err != nil {
		return err
	}
	return sameButModel(x.body, body)
}

func sameButModel(sent, received []byte) error {
	client, clientErr := withoutModel(sent)
	upstream, upstreamErr := withoutModel(received)
	if err := errors.Join(clientErr, upstreamErr); err != nil {
		return err
	}
	if !reflect.DeepEqual(client, upstream) {
		return fmt.Errorf("more than the model changed on the way:\n  client   %s\n  upstream %s", sent, received)
	}
	return nil
}

func withoutModel(body []byte) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var members map[string]any
	if err := decoder.Decode(&members); err != nil {
		return nil, err
	}
	delete(members, "model")
	return members, nil
}
