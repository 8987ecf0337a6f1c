// Package serve shows training runs, runs of grow, databases, benchmark decisions and
// a board in a browser, as they are now: pages made on the server, refreshed by
// server-sent events, without a framework and without a build step.
//
// What can be read is what was named when the server was made; requests name it by
// the name in the list, never by a path.
package serve
