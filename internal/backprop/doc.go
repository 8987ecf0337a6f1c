// Package backprop trains nets by minibatch gradient descent: forward pass, loss,
// backward pass and weight update of dense nets with five sigmoid outputs.
//
// A Stepper keeps the weights of a net in the panels of package gemm and steps
// them, batch by batch, with any number of workers. A step has two phases, and
// all workers finish the first before the second begins:
//
//  1. rows: blocks of rows of the batch are encoded, run through the net, scored
//     and run back to the errors of every hidden unit;
//  2. weights: for every panel of 32 units, the gradient is summed over the whole
//     batch, in the order of its rows, and the panel's weights are updated while
//     they are in the cache.
//
// What a step waits for, beyond arithmetic, is the memory. So a worker's block has as
// many rows as fit its cache with their activations: the more there are, the less
// often do all weights go through it.
//
// Four of five rectified units of a trained net are zero in a position, and so are their
// errors: products leave them out where rows have few others (nonzero.go).
//
// With the precision BFloat16 (half.go), the same two phases run on squares of bfloat16
// that package gemm has. Of every matrix that takes part in two products, what computes
// it also writes both layouts: activations by rows for the next layer and transposed for
// its gradient, errors by rows for the layer before and by pairs for the gradient, and
// the update of a square of weights both of its pairs. Inputs are dense: zeros cost less
// than finding them.
//
// No sum is split between workers, so the result is the same to the bit for any
// number of them. A step allocates nothing.
package backprop
