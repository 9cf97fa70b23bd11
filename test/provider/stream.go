package provider

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// endlessPace keeps an endless stream from filling the network when no chunk
// delay is asked for.
const endlessPace = 5 * time.Millisecond

// stream writes an answer as server-sent events, in the manner asked for.
func (p *Provider) stream(ctx context.Context, x exchange, a answer) {
	play := x.api.script(a)
	x.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	x.w.Header().Set("Cache-Control", "no-cache")
	sending := send(ctx, x, play.open) && send(ctx, x, play.middle[:1])
	if sending && x.manners.fault == FaultResetMidStream {
		panic(http.ErrAbortHandler)
	}
	sending = sending && p.gates.wait(ctx, x.manners.holdStream)
	if x.manners.fault == FaultEndless {
		x.manners.chunkDelay = max(x.manners.chunkDelay, endlessPace)
		for sending {
			sending = send(ctx, x, play.middle)
		}
	}
	_ = sending && send(ctx, x, play.middle[1:]) && send(ctx, x, play.end)
}

// send writes events as they are ready. It reports false when the client has
// left.
func send(ctx context.Context, x exchange, events []event) bool {
	for _, e := range events {
		if !pause(ctx, x.manners.chunkDelay) || write(x.w, e) != nil {
			return false
		}
	}
	return true
}

func write(w http.ResponseWriter, e event) error {
	name := ""
	if e.name != "" {
		name = "event: " + e.name + "\n"
	}
	if _, err := fmt.Fprintf(w, "%sdata: %s\n\n", name, e.data); err != nil {
		return fmt.Errorf("write event: %w", err)
	}
	if err := http.NewResponseController(w).Flush(); err != nil {
		return fmt.Errorf("flush event: %w", err)
	}
	return nil
}
