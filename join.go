package mcpaudit

import (
	"fmt"
	"slices"
)

// Join puts a server that was heard beside its source. The twin is the server of that name, if name is not empty; else the
// one that calls itself what the running server calls itself; else the one whose tools are the same for the greater part.
// Where there is none, the server that was heard stands for itself. how says in words how the twin was found, or is
// "".
//
// The error says that there is no server of the name that was asked for, or more than one.
func (r *Repo) Join(heard *Server, name string) (how string, err error) {
	twin, how, err := r.twin(heard, name)
	switch {
	case err != nil:
		return "", err
	case twin == nil:
		r.Servers = append(r.Servers, heard)
		return "", nil
	}
	twin.Routers = append(twin.Routers, heard.Routers...)
	for _, t := range heard.Transports {
		if !slices.Contains(twin.Transports, t) {
			twin.Transports = append(twin.Transports, t)
		}
	}
	twin.Eras.Merge(heard.Eras)
	for _, e := range heard.Evidence {
		e.Role = Related
		twin.Evidence = append(twin.Evidence, e)
	}
	heard.Name = twin.Name
	return how, nil
}

func (r *Repo) twin(heard *Server, name string) (*Server, string, error) {
	var read []*Server
	for _, s := range r.Servers {
		if !s.OnlyTests() && !s.OnlyHeard() {
			read = append(read, s)
		}
	}
	if name != "" {
		named := called(read, name)
		if len(named) != 1 {
			return nil, "", fmt.Errorf("find the source of server %q: there are %d servers of that name", name, len(named))
		}
		return named[0], "named by the user", nil
	}
	if named := called(read, heard.Name); len(named) == 1 {
		return named[0], "by its name", nil
	}
	// Sorted by how much they share; equal shares decide nothing.
	best, second := 0.0, 0.0
	var twin *Server
	for _, s := range read {
		switch share := overlap(heard.Tools, s.Tools); {
		case share > best:
			best, second, twin = share, best, s
		case share > second:
			second = share
		}
	}
	if best > 0.5 && best > second {
		return twin, "by its tools", nil
	}
	return nil, "", nil
}

func called(servers []*Server, name string) []*Server {
	var out []*Server
	for _, s := range servers {
		if s.Name == name {
			out = append(out, s)
		}
	}
	return out
}

// overlap is the part of all tools of two servers that both have.
func overlap(a, b []Tool) float64 {
	names := map[string]int{}
	for _, t := range a {
		names[t.Name] |= 1
	}
	for _, t := range b {
		names[t.Name] |= 2
	}
	both := 0
	for _, of := range names {
		if of == 3 {
			both++
		}
	}
	if both == 0 {
		return 0
	}
	return float64(both) / float64(len(names))
}

// OnlyHeard reports whether nothing is known of the source of a server.
func (s *Server) OnlyHeard() bool {
	return len(s.Routers) > 0 && !slices.ContainsFunc(s.Routers, func(r *Router) bool { return r.Form != FormWire })
}

// OnlyTests reports whether all that routes in a server lies in tests, examples or documentation.
func (s *Server) OnlyTests() bool {
	return len(s.Routers) > 0 && !slices.ContainsFunc(s.Routers, func(r *Router) bool { return !r.Test })
}
