// Package dialect writes what pointsman answers itself, errors and the list of
// models, the way the client's API has it, so that SDKs raise the error type
// that their users already handle.
package dialect
