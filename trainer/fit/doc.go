// Package fit trains one net on positions with known outputs, in minibatches.
//
// Load examples into a Data, which splits off the validation set; Run trains a
// net on it under Settings and keeps a checkpoint from which it goes on. The
// arithmetic is in package internal/backprop; package trainer trains the nets of
// a player one after the other.
//
// One seed gives one result, whatever the number of workers: the examples are
// shuffled by seed and epoch, the learning rate is a function of the step, and
// sums are taken in a fixed order.
package fit
