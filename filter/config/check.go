package config

import (
	"strings"

	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

// check reports everything that is wrong with a configuration as far as it was
// read. What is not built yet comes first: nobody has to get its settings right.
func (p *problems) check(message *configv1.Config) {
	p.unbuilt(message)
	p.principal(message.GetPrincipal())
	p.bounds(message)

	c := checker{problems: p, Config: message}
	c.models()
	c.defaultModels()
	c.virtualModels()
	c.selection()
	c.clusters()
	c.addresses()
	c.decisionLog()
	c.limits()
	c.llm()
}

// checker checks what relates the keys of one configuration to each other.
type checker struct {
	*problems
	*configv1.Config
}

// unbuilt refuses what the schema has and pointsman does not do yet.
func (p *problems) unbuilt(message *configv1.Config) {
	if message.GetSession().GetReuse() {
		p.addf("session.reuse", "is not built yet: write false, or leave it out")
	}
}

// decisionLog refuses what would become a file of a surprising name.
func (c checker) decisionLog() {
	const key = "decision_log"
	switch path := c.GetDecisionLog(); {
	case path == "stderr" || path == "-":
		c.addf(key, "must be stdout or the path of a file (is %s; a file of that name is ./%s)", quote(path), path)
	case strings.HasSuffix(path, "/"):
		c.addf(key, "must be stdout or the path of a file, not of a directory (is %s)", quote(path))
	}
}

// names lists what entries are called, for messages that say what there is.
func names[T interface{ GetName() string }](entries []T) []string {
	known := make([]string, 0, len(entries))
	for _, entry := range entries {
		if name := entry.GetName(); name != "" {
			known = append(known, name)
		}
	}
	return known
}

// missing says that nothing is called name, and what there is instead.
func missing(what, name string, known []string) string {
	if meant := nearest(name, known); meant != "" {
		return "no " + what + " is called " + quote(name) + ": did you mean " + meant + "?"
	}
	const few = 10
	if len(known) > few {
		return "no " + what + " is called " + quote(name)
	}
	return "no " + what + " is called " + quote(name) + ": there is " + strings.Join(known, ", ")
}

// unique reports each entry whose name an earlier one has.
func unique[T interface{ GetName() string }](p *problems, list string, entries []T) {
	first := make(map[string]int, len(entries))
	for i, entry := range entries {
		name := entry.GetName()
		if earlier, ok := first[name]; ok && name != "" {
			p.addf(child(item(list, i), "name"), "is already the name of %s: rename one", item(list, earlier))
			continue
		}
		first[name] = i
	}
}
