package conversation_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func tokensOf(t *testing.T, content string) int {
	t.Helper()
	return readChat(t, userTurn(content)).Tokens - readChat(t, userTurn(`""`)).Tokens
}

func TestEstimateCountsBytesByKindOfText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content string
		want    int
	}{
		"prose":            {`"` + strings.Repeat("word ", 400) + `"`, 500},
		"Chinese":          {`"` + strings.Repeat("你", 300) + `"`, 300},
		"Chinese, escaped": {`"` + strings.Repeat(`\u4f60`, 300) + `"`, 300},
		"JSON as text":     {`"{` + strings.Repeat(`\"a\":1,`, 300) + `"`, 601},
		"escapes":          {`"` + strings.Repeat(`\n\t\"\\`, 100) + `"`, 100},
		"an emoji pair":    {`"` + strings.Repeat(`\ud83d\ude00`, 30) + `"`, 40},
	} {
		assert.Equal(t, c.want, tokensOf(t, c.content), name)
	}
}

func TestEstimate_R5_CountsMediaAndNeverBase64AsText(t *testing.T) {
	t.Parallel()
	base64 := strings.Repeat("QUJD", 300_000) // 1.2 MB
	for name, c := range map[string]struct {
		block     string
		low, high int
	}{
		"image":         {`{"type":"image_url","image_url":{"url":"data:image/png;base64,` + base64 + `"}}`, 1600, 1600},
		"document":      {`{"type":"file","file":{"file_data":"` + base64 + `"}}`, 40_000, 40_000},
		"named file":    {`{"type":"file","file":{"file_id":"f"}}`, 2000, 2000},
		"audio":         {`{"type":"input_audio","input_audio":{"data":"` + base64 + `","format":"mp3"}}`, 600, 600},
		"unknown block": {`{"type":"hologram","data":"` + base64 + `"}`, 40_000, 40_100},
		"escaped slashes": {
			`{"type":"hologram","data":"data:image\/png;base64,` + strings.Repeat(`QU\/D`, 300_000) + `"}`, 40_000, 50_100,
		},
	} {
		got := tokensOf(t, "["+c.block+"]")
		assert.GreaterOrEqual(t, got, c.low, name)
		assert.LessOrEqual(t, got, c.high, name)
	}
}

func TestEstimateCountsSystemTextAndTools(t *testing.T) {
	t.Parallel()
	bare := readChat(t, `{"messages":[{"role":"user","content":"hi"}]}`).Tokens
	full := readChat(t, `{"messages":[{"role":"system","content":"`+strings.Repeat("rule ", 80)+
		`"},{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"`+strings.Repeat("x", 300)+`"}}]}`).Tokens
	assert.Greater(t, full, bare+100+100)
}

func TestEstimateTakesLongChineseTextInJSONForText(t *testing.T) {
	t.Parallel()
	bare := readChat(t, `{"messages":[]}`).Tokens
	for name, text := range map[string]string{"Chinese": strings.Repeat("工具", 1000), "a link and Chinese": "https://example.com/" + strings.Repeat("工具", 1000)} {
		got := readChat(t, `{"messages":[],"tools":[{"function":{"description":"`+text+`"}}]}`).Tokens - bare
		assert.InDelta(t, 2000, got, 50, name)
		got = readChat(t, `{"messages":[{"role":"assistant","reasoning_content":"`+text+`"}]}`).Tokens - bare
		assert.InDelta(t, 2000, got, 50, name)
	}
}
