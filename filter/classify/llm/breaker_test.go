package llm

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// clock is turned by hand.
type clock struct{ time time.Time }

func (c *clock) now() time.Time        { return c.time }
func (c *clock) turn(by time.Duration) { c.time = c.time.Add(by) }
func newClock() *clock                 { return &clock{time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }
func (c *clock) breaker() *breaker     { return &breaker{now: c.now} }

var (
	worked    = outcome{}
	failed    = outcome{failed: true}
	abandoned = outcome{failed: true, abandoned: true}
)

// try asks once, and says how it went.
func (b *breaker) try(t *testing.T, went outcome) (opened time.Duration, closed bool) {
	t.Helper()
	ticket, ok := b.enter()
	require.True(t, ok, "asking is allowed")
	return b.leave(ticket, went)
}

func (b *breaker) isOpen() bool {
	ticket, ok := b.enter()
	if ok {
		b.leave(ticket, abandoned)
	}
	return !ok
}

func TestBreaker_OpensAfterFiveFailuresInARow(t *testing.T) {
	t.Parallel()
	b := newClock().breaker()
	for range 3 {
		for range 4 {
			opened, _ := b.try(t, failed)
			assert.Zero(t, opened)
		}
		_, closed := b.try(t, worked)
		assert.False(t, closed, "it was not open")
	}
	for range 4 {
		b.try(t, failed)
		b.try(t, abandoned) // says nothing
	}
	assert.False(t, b.isOpen())
	opened, _ := b.try(t, failed)
	assert.Equal(t, 10*time.Second, opened)
	assert.True(t, b.isOpen())
}

func TestBreaker_LetsOneAskAfterTenSeconds(t *testing.T) {
	t.Parallel()
	c := newClock()
	b := c.breaker()
	for range 5 {
		b.try(t, failed)
	}
	c.turn(10*time.Second - 1)
	assert.True(t, b.isOpen())
	c.turn(1)
	probe, ok := b.enter()
	require.True(t, ok)
	assert.True(t, b.isOpen(), "for all others, as long as it is under way")
	opened, _ := b.leave(probe, failed)
	assert.Equal(t, 10*time.Second, opened)
	assert.True(t, b.isOpen())

	c.turn(10 * time.Second)
	b.try(t, abandoned) // so the next one asks
	_, closed := b.try(t, worked)
	assert.True(t, closed)
	for range 4 {
		b.try(t, failed) // it counts from the beginning
	}
	assert.False(t, b.isOpen())
}

func TestBreaker_OpensAtOnceWhereTheServerAsksForIt(t *testing.T) {
	t.Parallel()
	for asked, want := range map[time.Duration]time.Duration{
		time.Second: time.Second, 30 * time.Second: 30 * time.Second, 24 * time.Hour: time.Minute,
	} {
		c := newClock()
		b := c.breaker()
		opened, _ := b.try(t, outcome{failed: true, retryAfter: asked})
		assert.Equal(t, want, opened)
		c.turn(want - 1)
		assert.True(t, b.isOpen())
		c.turn(1)
		opened, _ = b.try(t, failed)
		assert.Equal(t, 10*time.Second, opened, "the one that asks decides by itself")
	}
}

func TestBreaker_WhatBeganBeforeItOpenedChangesNothing(t *testing.T) {
	t.Parallel()
	c := newClock()
	b := c.breaker()
	early, _ := b.enter()
	late, _ := b.enter()
	for range 5 {
		b.try(t, failed)
	}
	b.leave(early, worked)
	assert.True(t, b.isOpen(), "an old answer does not close it")
	c.turn(10 * time.Second)
	probe, ok := b.enter()
	require.True(t, ok)
	opened, _ := b.leave(late, failed)
	assert.Zero(t, opened)
	assert.True(t, b.isOpen(), "the one that asks is still under way")
	_, closed := b.leave(probe, worked)
	assert.True(t, closed)
}
