// Package explain is the dry run: requests as JSON Lines in, and for each a line
// that says what live traffic would have met, decided by the same pipeline. It
// opens no port and reads no credential.
package explain
