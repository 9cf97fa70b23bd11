package odd

import (
	"slices"
	"strings"
)

// What is old is replaced, or trimmed where it is long. Ratios of one make every
// cut pay that is shorter.
const pruneConfig = `
prune:
  enabled: true
  budget_tokens: 0
  keep_last_rounds: 1
  min_savings_tokens: 0
  cached_read_ratio: 1
  cache_write_ratio: 1
  exclude_tools: [policy]
`

var (
	outputOf300 = strings.Repeat("line of output ", 20)
	// old is what a tool came to, as JSON.
	old = `"` + outputOf300 + `"`
	// long is cut to its two ends.
	long        = `"` + strings.Repeat("h", 1500) + strings.Repeat("m", 1001) + strings.Repeat("t", 1500) + `"`
	trimmedLong = `"` + strings.Repeat("h", 1500) + `\n[... 1,001 characters trimmed ...]\n` + strings.Repeat("t", 1500) + `"`
	// newest is never pruned, however long.
	newest = `"` + strings.Repeat("x", 20_000) + `"`
)

// What stands in the place of old, with the tool's name and without one.
const (
	replacedSh = `"[sh result replaced, 300 chars]"`
	nameless   = `"[result replaced, 300 chars]"`
)

// prunes is a request of which results are pruned: each old text, in the order
// of their places, becomes the new one beside it.
func prunes(name, body, model string, oldAndNew ...string) Request {
	r := routed(name, body, model)
	done := strings.Index(r.Upstream, `"messages"`)
	if done < 0 {
		done = strings.Index(r.Upstream, `"input"`)
	}
	for pair := range slices.Chunk(oldAndNew, 2) {
		at := done + strings.Index(r.Upstream[done:], pair[0])
		r.Upstream = r.Upstream[:at] + pair[1] + r.Upstream[at+len(pair[0]):]
		done = at + len(pair[1])
	}
	return r
}

const human = `{"role":"user","content":"hello"}`

// chatCall is a message that calls tools, given as id, name, id, name.
func chatCall(idsAndNames ...string) string {
	var calls []string
	for pair := range slices.Chunk(idsAndNames, 2) {
		calls = append(calls, `{"id":"`+pair[0]+`","type":"function","function":{"name":"`+pair[1]+`","arguments":"{}"}}`)
	}
	return `{"role":"assistant","content":null,"tool_calls":[` + strings.Join(calls, ",") + `]}`
}

func chatResult(id, content string) string {
	return `{"role":"tool","tool_call_id":"` + id + `","content":` + content + `}`
}

// chatTalk is a conversation that begins with a human and ends with a round of
// its own.
func chatTalk(messages ...string) string {
	all := append([]string{human}, messages...)
	all = append(all, chatCall("last", "sh"), chatResult("last", `"ok"`))
	return auto(`"messages":[` + strings.Join(all, ",") + `]`)
}

// oldChat is a talk with an old result of sh.
func oldChat(content string) string { return chatTalk(chatCall("c", "sh"), chatResult("c", content)) }

func prunedChat() []Request {
	const image = `{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}}`
	hologram := `{"type":"hologram","of":` + old + `}`
	return []Request{
		prunes("an old result", oldChat(old), small, old, replacedSh),
		prunes("an old result that is long", oldChat(long), small, long, trimmedLong),
		prunes("an old result in parts", oldChat(`[{"x":1.0,"text":`+old+`,"type":"text"},{"type":"text","text":`+long+`}]`), small,
			long, `"`+strings.Repeat("h", 1200)+`\n[... 1,301 characters trimmed ...]\n`+strings.Repeat("t", 1500)+`"`),
		prunes("an old image", oldChat(`[`+image+`]`), small, image, `{"type":"text","text":"[image replaced]"}`),
		prunes("an old part that nobody knows", oldChat(`[`+hologram+`]`), small, hologram, `{"type":"text","text":"[block replaced]"}`),
		routed("an old result that is short", oldChat(`"ok"`), small),
		routed("an old result of no text", oldChat(`""`), small),
		routed("an old result of no parts", oldChat(`[]`), small),
		routed("an old result of an empty part", oldChat(`[{"type":"text","text":""}]`), small),
		routed("an old result of null", oldChat(`null`), small),
		routed("an old result of a number", oldChat(`12345678901234567890`), small),
		routed("an old result without content", chatTalk(chatCall("c", "sh"), `{"role":"tool","tool_call_id":"c"}`), small),
		routed("an old result of a tool that is excepted", chatTalk(chatCall("c", "policy"), chatResult("c", old)), small),
		prunes("the newest result is huge", strings.Replace(oldChat(old), `"ok"`, newest, 1), small, old, replacedSh),
		routed("the only result is huge", auto(`"messages":[`+human+`,`+chatCall("c", "sh")+`,`+chatResult("c", newest)+`]`), small),
		prunes("nobody human", strings.Replace(oldChat(old), human+",", "", 1), medium, old, replacedSh),
		prunes("members in another order", chatTalk(chatCall("c", "sh"), `{"content":`+old+`,"x":1.0,"tool_call_id":"c","role":"tool"}`), small, old, replacedSh),
		prunes("a lone surrogate at the cut", oldChat(strings.Replace(long, "hm", `h\ud83dm`, 1)), small,
			strings.Replace(long, "hm", `h\ud83dm`, 1), strings.Replace(trimmedLong, "1,001", "1,002", 1)),
		prunes("an answer begun", strings.TrimSuffix(oldChat(old), "]}")+`,{"role":"assistant","content":"I"}]}`, small, old, replacedSh),
	}
}

func oddlyPairedChat() []Request {
	two := chatResult("c", old) + "," + chatResult("c", old)
	return []Request{
		prunes("a result before its call", chatTalk(chatResult("c", old), chatCall("c", "sh")), small, old, nameless),
		prunes("a result of no call", chatTalk(chatCall("c", "sh"), chatResult("gone", old)), small, old, nameless),
		prunes("two results of a call", chatTalk(chatCall("c", "sh"), two), small, old, replacedSh, old, replacedSh),
		prunes("two calls of an id", chatTalk(chatCall("c", "sh", "c", "ls"), two), small,
			old, replacedSh, old, strings.Replace(replacedSh, "sh", "ls", 1)),
		prunes("an id used again", chatTalk(chatCall("c", "sh"), chatResult("c", old), chatCall("c", "ls"), chatResult("c", old)), small,
			old, replacedSh, old, strings.Replace(replacedSh, "sh", "ls", 1)),
		prunes("an excepted tool's id used again", chatTalk(chatCall("c", "policy"), chatResult("c", old), chatCall("c", "ls", "d", "policy"),
			chatResult("d", old), chatResult("c", old)), small,
			chatResult("c", old)+","+chatCall("last", "sh"), chatResult("c", strings.Replace(replacedSh, "sh", "ls", 1))+","+chatCall("last", "sh")),
		prunes("parallel calls, answered the other way round", chatTalk(chatCall("c", "sh", "d", "ls"), chatResult("d", old), chatResult("c", old)), small,
			old, strings.Replace(replacedSh, "sh", "ls", 1), old, replacedSh),
		prunes("a call in its older form", chatTalk(`{"role":"assistant","content":null,"function_call":{"name":"sh","arguments":"{}"}}`,
			`{"role":"function","name":"sh","content":`+old+`}`), small, old, replacedSh),
		prunes("a tool's name in escapes", chatTalk(chatCall("c", `s\u0068`), chatResult("c", old)), small, old, `"[s\u0068 result replaced, 300 chars]"`),
		routed("an excepted tool's name in escapes", chatTalk(chatCall("c", `polic\u0079`), chatResult("c", old)), small),
		prunes("a tool's name of no end", chatTalk(chatCall("c", strings.Repeat("s", 200)), chatResult("c", old)), small, old, nameless),
		prunes("system text in the middle", chatTalk(chatCall("c", "sh"), chatResult("c", old), `{"role":"system","content":`+old+`}`), small, old, replacedSh),
		prunes("system text before a result", chatTalk(chatCall("c", "sh"), `{"role":"developer","content":`+old+`}`, chatResult("c", old)), small,
			chatResult("c", old), chatResult("c", replacedSh)),
	}
}

func prunedResponses() []Request {
	call := func(id, name string) string {
		return `{"type":"function_call","call_id":"` + id + `","name":"` + name + `","arguments":"{}"}`
	}
	output := func(id, text string) string {
		return `{"type":"function_call_output","call_id":"` + id + `","output":` + text + `}`
	}
	talk := func(items ...string) string {
		all := append([]string{human}, items...)
		return auto(`"input":[` + strings.Join(append(all, call("last", "sh"), output("last", `"ok"`)), ",") + `]`)
	}
	const image = `{"type":"input_image","image_url":"data:image/png;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}`
	const message = `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Let me look."}]}`
	replacedLs := strings.Replace(replacedSh, "sh", "ls", 1)
	requests := on(responsesPath,
		prunes("calls and outputs one by one", talk(call("c", "sh"), output("c", old), call("d", "ls"), output("d", old)), small, old, replacedSh, old, replacedLs),
		prunes("calls and outputs in runs", talk(call("c", "sh"), call("d", "ls"), output("c", old), output("d", old)), small, old, replacedSh, old, replacedLs),
		prunes("a message between a call and its output", talk(call("c", "sh"), message, output("c", old)), small, old, replacedSh),
		prunes("an output before its call", talk(output("c", old), call("c", "sh")), small, old, nameless),
		prunes("an excepted tool's output behind another call", talk(call("c", "policy"), call("d", "sh"), output("d", old), call("e", "sh"),
			output("c", old), output("e", `"ok"`)), small, old, replacedSh),
		prunes("an output behind another call", talk(call("c", "ls"), call("d", "sh"), output("d", old), call("e", "sh"), output("c", old), output("e", old)), small,
			old, replacedSh, old, replacedLs, old, replacedSh),
		prunes("an output of no call", talk(call("c", "sh"), output("gone", old)), small, old, nameless),
		prunes("two outputs of a call", talk(call("c", "sh"), output("c", old), output("c", old)), small, old, replacedSh, old, replacedSh),
		prunes("an old output in parts", talk(call("c", "sh"), output("c", `[`+image+`,{"type":"input_text","text":`+old+`}]`)), small,
			image, `{"type":"input_text","text":"[image replaced]"}`, old, replacedSh),
		prunes("an old output of a custom tool", talk(`{"type":"custom_tool_call","call_id":"c","name":"sh","input":"x"}`,
			`{"output":`+long+`,"call_id":"c","type":"custom_tool_call_output"}`), small, long, trimmedLong),
		routed("an old output of a tool that is excepted", talk(call("c", "policy"), output("c", old)), small),
		routed("an old output of the provider's own tools", talk(`{"type":"local_shell_call","call_id":"c"}`,
			`{"type":"local_shell_call_output","call_id":"c","output":`+old+`}`), small),
		routed("an old output of null", talk(call("c", "sh"), output("c", `null`)), small),
		routed("an old output of no text", talk(call("c", "sh"), output("c", `""`)), small),
		routed("an old output of nothing", talk(call("c", "sh"), `{"type":"function_call_output","call_id":"c"}`), small),
		routed("an old output where the provider compacts", strings.Replace(talk(call("c", "sh"), output("c", old)), `"input"`,
			`"context_management":[{"type":"compaction"}],"input"`, 1), small),
		prunes("system text in the middle", talk(call("c", "sh"), output("c", old), `{"role":"developer","content":`+old+`}`), small, old, replacedSh),
		prunes("an answer begun", strings.TrimSuffix(talk(call("c", "sh"), output("c", old)), "]}")+`,`+message+`]}`, small, old, replacedSh),
	)
	requests = append(requests, on(compactPath, prunes("an old output", talk(call("c", "sh"), output("c", old)), small, old, replacedSh))...)
	return append(requests, on(chatPath, prunes("items, an old output among them", talk(call("c", "sh"), output("c", old)), small, old, replacedSh))...)
}

func prunedMessages() []Request {
	use := func(id, name string) string {
		return `{"type":"tool_use","id":"` + id + `","name":"` + name + `","input":{}}`
	}
	assistant := func(blocks string) string { return `{"role":"assistant","content":[` + blocks + `]}` }
	user := func(blocks string) string { return `{"role":"user","content":[` + blocks + `]}` }
	result := func(id, content string) string {
		return `{"type":"tool_result","tool_use_id":"` + id + `","content":` + content + `}`
	}
	talk := func(messages ...string) string {
		all := append([]string{human}, messages...)
		return auto(`"max_tokens":64,"messages":[` + strings.Join(append(all, assistant(use("last", "sh")), user(result("last", `"ok"`))), ",") + `]`)
	}
	oldest := func(content string) string { return talk(assistant(use("c", "sh")), user(result("c", content))) }
	const text = `{"type":"text","text":"hello"}`
	const image = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"},"cache_control":{"ttl":"1h","type":"ephemeral"}}`
	const signed = `{"type":"thinking","thinking":"hm","signature":"c2ln"}`
	requests := on(messagesPath,
		prunes("an old result", oldest(old), large, old, replacedSh),
		prunes("an old result in blocks", oldest(`[{"type":"text","text":`+old+`},`+image+`]`), large, old, replacedSh,
			image, `{"type":"text","text":"[image replaced]","cache_control":{"ttl":"1h","type":"ephemeral"}}`),
		prunes("an old result that is an error", talk(assistant(use("c", "sh")),
			user(`{"is_error":true,"content":`+old+`,"x":1.0,"type":"tool_result","tool_use_id":"c"}`)), large, old, replacedSh),
		prunes("an old result with a text behind it", talk(assistant(use("c", "sh")), user(result("c", old)+","+text)), large, old, replacedSh),
		prunes("an old result with a text before it", talk(assistant(use("c", "sh")), user(text+","+result("c", old))), large, old, replacedSh),
		prunes("parallel uses", talk(assistant(use("c", "sh")+","+use("d", "policy")), user(result("c", old)+","+result("d", old))), large, old, replacedSh),
		prunes("a result before its use", talk(user(result("c", old)), assistant(use("c", "sh"))), large, old, nameless),
		prunes("a result of no use", talk(assistant(use("c", "sh")), user(result("gone", old))), large, old, nameless),
		prunes("two results of a use", talk(assistant(use("c", "sh")), user(result("c", old)+","+result("c", old))), large, old, replacedSh, old, replacedSh),
		prunes("an answer begun", strings.TrimSuffix(oldest(old), "]}")+`,`+assistant(text)+`]}`, large, old, replacedSh),
		prunes("system text in the middle", talk(assistant(use("c", "sh")), user(result("c", old)), `{"role":"system","content":`+old+`}`), large, old, replacedSh),
		routed("an old result of null", oldest(`null`), large),
		routed("an old result of no text", oldest(`""`), large),
		routed("an old result of no blocks", oldest(`[]`), large),
		routed("an old result of an empty text", oldest(`[{"type":"text","text":""}]`), large),
		routed("an old result of nothing", talk(assistant(use("c", "sh")), user(`{"type":"tool_result","tool_use_id":"c"}`)), large),
		routed("an old result that loads a tool", oldest(`[{"type":"text","text":`+old+`},{"type":"tool_reference","tool_name":"t"}]`), large),
		routed("an old result before signed thinking", talk(assistant(use("c", "sh")), user(result("c", old)), assistant(signed+","+use("d", "sh")), user(result("d", `"ok"`))), large),
		prunes("an old result behind signed thinking", talk(assistant(signed+","+use("c", "sh")), user(result("c", old))), large, old, replacedSh),
		routed("an old result where the provider clears", strings.Replace(oldest(old), `"messages"`,
			`"context_management":{"edits":[{"type":"clear_tool_uses_20250919"}]},"messages"`, 1), large),
	)
	return append(requests, on(countPath, prunes("an old result", oldest(old), large, old, replacedSh))...)
}
