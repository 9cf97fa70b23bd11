package llm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"go.uber.org/zap"

	"github.com/pointsman/pointsman/filter/classify"
	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/decision"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// Classifier has the opinion of an LLM. It may be used concurrently.
type Classifier struct {
	settings *configv1.LlmClassifier
	// fallback is the tier where the LLM gives no answer; NoTier where the
	// embedded model's holds then.
	fallback decision.Tier
	ask      ask
	flights  flights
	slots    chan struct{} // one for each question under way
	breaker  breaker
	logger   *zap.Logger
}

// New returns a classifier for a configuration that has classifier.llm. It reads
// the key; an error says what is wrong with its file. Nothing is asked yet: a
// server that is down when pointsman starts is asked later. The logger is told
// when the server begins and ceases to be left alone.
func New(cfg *config.Config, logger *zap.Logger) (*Classifier, error) {
	settings := cfg.GetClassifier().GetLlm()
	key, err := readKey(settings.GetApiKeyFile())
	if err != nil {
		return nil, err
	}
	c := &Classifier{
		settings: settings,
		ask:      newClient(settings, key, logger).ask,
		slots:    make(chan struct{}, settings.GetMaxConcurrent()),
		breaker:  breaker{now: time.Now},
		logger:   logger,
	}
	c.flights = flights{ask: c.call, under: make(map[question]*flight)}
	if settings.GetOnFailure() == "fallback" {
		c.fallback, err = decision.ParseTier(cfg.GetClassifier().GetFallbackTier())
	}
	return c, err
}

// Opinion is the LLM's opinion for a request that is given up when ctx is done.
func (c *Classifier) Opinion(ctx context.Context) classify.Opinion {
	return func(framed classify.Framed, embedded classify.Result) classify.Result {
		return c.judge(ctx, framed, embedded)
	}
}

// Stamp names the model, and hashes what else its answers depend on: where it is
// asked, which opinions are its own, and the instructions.
func (c *Classifier) Stamp() string {
	hash := sha256.New()
	_, _ = fmt.Fprintf(hash, "%q %t %v %q %s\n", c.settings.GetBaseUrl(),
		c.settings.MinConfidence != nil, c.settings.GetMinConfidence(), c.settings.GetOnFailure(), responseFormat)
	for _, prior := range []string{"", "prior"} {
		_, _ = fmt.Fprintf(hash, "%q\n", classify.Frame(classify.Input{Message: "message", PriorTurn: prior}, true).Instruction)
	}
	return c.settings.GetModel() + "@" + hex.EncodeToString(hash.Sum(nil)[:6])
}

func (c *Classifier) judge(ctx context.Context, framed classify.Framed, embedded classify.Result) classify.Result {
	if c.settings.MinConfidence != nil && embedded.Confidence >= c.settings.GetMinConfidence() {
		embedded.LLMUnused = Confident
		return embedded
	}
	said, err := c.flights.join(ctx, question{framed.Instruction, framed.Text})
	if err != nil {
		return c.without(err, embedded)
	}
	result := classify.Said(said.tier, said.category, said.difficulty)
	result.By = decision.ByLLM
	return result
}

// without is the result where the LLM gives no answer.
func (c *Classifier) without(err error, embedded classify.Result) classify.Result {
	result := embedded
	if c.fallback != decision.NoTier {
		result = classify.FellBack(c.fallback, embedded)
	}
	if failed, ok := errors.AsType[*unusedError](err); ok {
		result.LLMUnused = failed.why
	}
	return result
}

// call asks a question, within the time and the number that there may be.
func (c *Classifier) call(ctx context.Context, q question) (said answer, err error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	default:
		return answer{}, unused(Busy)
	}
	ticket, ok := c.breaker.enter()
	if !ok {
		return answer{}, unused(BreakerOpen)
	}
	went := outcome{abandoned: true} // unless it comes to an end below
	defer func() { c.report(ticket, went, err) }()
	ctx, cancel := context.WithTimeout(ctx, c.settings.GetTimeout().AsDuration())
	defer cancel()
	said, err = c.ask(ctx, q)
	went = outcomeOf(err)
	return said, err
}

func outcomeOf(err error) outcome {
	failed, ok := errors.AsType[*unusedError](err)
	if !ok {
		return outcome{}
	}
	return outcome{failed: true, abandoned: failed.why == Gone, retryAfter: failed.retryAfter}
}

func (c *Classifier) report(ticket int, went outcome, err error) {
	opened, closed := c.breaker.leave(ticket, went)
	if opened > 0 {
		c.logger.Warn("the LLM classifier is left alone for a while", zap.Duration("for", opened), zap.Error(err))
	}
	if closed {
		c.logger.Info("the LLM classifier answers again")
	}
}
