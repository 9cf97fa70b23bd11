package classify

// IsAcknowledgement reports whether a turn only acknowledges the one before it
// ("Sure.", "ok, go ahead", "sounds good, thanks") and so says nothing about the
// work: a follow-up to it continues what came before.
func IsAcknowledgement(text string) bool {
	s := scan(shown(visible(text)))
	return s.onlyOf(assent, proceed, praise, polite, thanks)
}
