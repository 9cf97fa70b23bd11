package replay

import "fmt"

// policy is one of those that are compared.
type policy int

const (
	none       policy = iota // sent as recorded: the base
	configured               // the pipeline, by its configuration
	byEven                   // breakEven
	byBatches                // batches
	bySliding                // sliding
	policies   = iota        // how many there are
)

// names are what JSON calls the policies.
var names = [policies]string{"none", "pointsman", "break_even", "batches", "sliding"}

func (p policy) String() string { return names[p] }

// title is what people read, where the break-even rule keeps so many rounds and
// the batches so many results.
func (p policy) title(keep int) string {
	switch p {
	case configured:
		return "pointsman"
	case byEven:
		return fmt.Sprintf("break-even, keep %d", keep)
	case byBatches:
		return fmt.Sprintf("batches of %d, keep %d", slidingResults, keep)
	case bySliding:
		return fmt.Sprintf("sliding, keep %d", slidingResults)
	default:
		return "no pruning"
	}
}
