package accesslog_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/pointsman/pointsman/filter/accesslog"
	"github.com/pointsman/pointsman/filter/decision"
	routerv1 "github.com/pointsman/pointsman/proto/pointsman/router/v1"
)

func ExampleLog_Write() {
	var out strings.Builder
	log, err := accesslog.OpenLog(accesslog.Stdout, &out)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	record := &routerv1.Record{Outcome: &routerv1.Outcome{Kind: decision.KindFailedOpen, Status: 200}}
	if err := log.Write(record); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	_, rest, _ := strings.Cut(out.String(), `"msg"`)
	fmt.Print(`{"level":"info","ts":"...","msg"`, rest)
	// Output:
	// {"level":"info","ts":"...","msg":"request","decision":null,"outcome":{"kind":"failed_open","status":200,"details":"","flags":[],"attempts":0,"upstream_cluster":"","upstream_address":"","first_byte_ms":0,"duration_ms":0,"added_ms":0,"request_bytes":0,"response_bytes":0,"request_id":"","path":"","start_time":null},"usage":null}
}
