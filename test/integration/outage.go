package integration

import (
	"testing"
	"time"

	"github.com/moby/moby/client"
	"github.com/stretchr/testify/require"
)

// drainLimit is how long pointsman may take to end by itself.
const drainLimit = 30 * time.Second

// PointsmanURL is pointsman's admin port; another one after each start.
func (s *Stack) PointsmanURL(t *testing.T) string {
	t.Helper()
	_, number, err := hostAndPort(s.Config.GetListen().GetAdmin())
	require.NoError(t, err)
	url, err := s.pointsman.url(t.Context(), number)
	require.NoError(t, err)
	return url
}

// StopPointsman ends pointsman as an orchestrator does, by SIGTERM, and waits
// for its end.
func (s *Stack) StopPointsman(t *testing.T) {
	t.Helper()
	limit := drainLimit
	require.NoError(t, s.pointsman.container.Stop(t.Context(), &limit))
}

// KillPointsman ends pointsman at once, by SIGKILL.
func (s *Stack) KillPointsman(t *testing.T) {
	t.Helper()
	_, err := s.docker.ContainerKill(t.Context(), s.pointsman.container.GetContainerID(), client.ContainerKillOptions{Signal: "SIGKILL"})
	require.NoError(t, err)
}

// PausePointsman freezes pointsman: connections stay open, and nothing
// answers, until ResumePointsman.
func (s *Stack) PausePointsman(t *testing.T) {
	t.Helper()
	_, err := s.docker.ContainerPause(t.Context(), s.pointsman.container.GetContainerID(), client.ContainerPauseOptions{})
	require.NoError(t, err)
}

// ResumePointsman ends what PausePointsman began.
func (s *Stack) ResumePointsman(t *testing.T) {
	t.Helper()
	_, err := s.docker.ContainerUnpause(t.Context(), s.pointsman.container.GetContainerID(), client.ContainerUnpauseOptions{})
	require.NoError(t, err)
}

// StartPointsman starts a stopped or killed pointsman again, at its old
// address on the network, and waits until it is ready and Envoy says so too.
func (s *Stack) StartPointsman(t *testing.T) {
	t.Helper()
	require.NoError(t, s.pointsman.container.Start(t.Context()))
	s.WaitForStat(t, "cluster.pointsman.membership_healthy", 1)
}
