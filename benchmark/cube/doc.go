// Package cube turns cubeless chances into decisions with the doubling cube.
package cube
