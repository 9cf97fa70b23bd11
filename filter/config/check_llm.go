package config

import (
	"net/url"
	"strings"
)

// llm refuses an address that cannot be what is asked. It is not repeated in the
// message, since it may hold a credential.
func (c checker) llm() {
	const key = "classifier.llm.base_url"
	address := c.GetClassifier().GetLlm().GetBaseUrl()
	if address == "" {
		return // the schema's rules report it
	}
	if why := whyNoBaseURL(address); why != "" {
		c.addf(key, "must be an address that /chat/completions is put behind, such as https://api.example.com/v1 (%s)", why)
	}
}

func whyNoBaseURL(address string) string {
	parsed, err := url.Parse(address)
	switch {
	case err != nil:
		return "it is no URL"
	case parsed.Scheme != "http" && parsed.Scheme != "https":
		return "it must begin with https:// or http://"
	case parsed.User != nil:
		return "it holds a credential: put that into a file and name the file in api_key_file"
	case parsed.Hostname() == "":
		return "it has no host"
	case parsed.RawQuery != "" || parsed.ForceQuery:
		return "it has a query: leave it out, with everything from the ? on"
	case parsed.Fragment != "" || strings.Contains(address, "#"):
		return "it has a fragment: leave it out, with everything from the # on"
	case strings.HasSuffix(strings.TrimSuffix(parsed.Path, "/"), "/chat/completions"):
		return "it has that already: leave /chat/completions out"
	default:
		return ""
	}
}
