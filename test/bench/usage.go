package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// tick is the unit of CPU times in /proc, on every Linux that Go runs on.
const tick = time.Second / 100

// cpuTime is what a process has used, in user and system mode, all threads
// together.
func cpuTime(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The name, in brackets, may hold anything; utime and stime are the 12th and
	// 13th field after it (proc(5)).
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	const utime, stime = 11, 12
	if len(fields) <= stime {
		return 0, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	var ticks int64
	for _, field := range [][]byte{fields[utime], fields[stime]} {
		n, err := strconv.ParseInt(string(field), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("/proc/%d/stat: %w", pid, err)
		}
		ticks += n
	}
	return time.Duration(ticks) * tick, nil
}

// residentBytes is the memory that a process has now.
func residentBytes(pid int) (int64, error) { return statusBytes(pid, "VmRSS:") }

// peakBytes is the most memory that a process has had since forgetPeak.
func peakBytes(pid int) (int64, error) { return statusBytes(pid, "VmHWM:") }

// forgetPeak makes the peak what the process has now.
func forgetPeak(pid int) error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0)
}

func statusBytes(pid int, key string) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(text) {
		value, ok := bytes.CutPrefix(line, []byte(key))
		if !ok {
			continue
		}
		size, err := strconv.ParseInt(string(bytes.TrimSuffix(bytes.TrimSpace(value), []byte(" kB"))), 10, 64)
		return size << 10, err
	}
	return 0, fmt.Errorf("/proc/%d/status has no %s", pid, key)
}
