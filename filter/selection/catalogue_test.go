package selection_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pointsman/pointsman/filter/config"
	"github.com/pointsman/pointsman/filter/selection"
	configv1 "github.com/pointsman/pointsman/proto/pointsman/config/v1"
)

func TestNewNamesWhereAConfigurationThatWasNotCheckedIsWrong(t *testing.T) {
	t.Parallel()
	simple := &configv1.Model{Name: new("one"), Tier: new("simple")}
	tests := map[string]*configv1.Config{
		`model one: unknown tier "huge"`:         {Models: []*configv1.Model{{Name: new("one"), Tier: new("huge")}}},
		`virtual model auto: unknown tier "low"`: {Models: []*configv1.Model{simple}, VirtualModels: []*configv1.VirtualModel{{Name: new("auto"), MinTier: new("low")}}},
		`virtual model auto: unknown tier "top"`: {Models: []*configv1.Model{simple}, VirtualModels: []*configv1.VirtualModel{{Name: new("auto"), MaxTier: new("top")}}},
	}
	for want, cfg := range tests {
		_, err := selection.New(&config.Config{Config: cfg})
		require.ErrorContains(t, err, want)
	}
}
