package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"engram/memory"
	"engram/web/internal/wire"
)

// host rejects a request that was meant for another machine. A web page that has
// its own name resolve to 127.0.0.1 still says that name (DNS rebinding).
func (s *Server) host(w http.ResponseWriter, r *http.Request, next http.Handler) {
	name, ok := hostName(r.Host)
	if !ok || !isLoopback(name) && !s.hosts[name] && !isLocal(r, name) {
		s.refuse(w, r, wire.NewError(http.StatusForbidden, memory.CodeRefused, "the Host header names another machine",
			"use the address that engram serve prints, or start it with --allow-host NAME"), "host", r.Host)
		return
	}
	next.ServeHTTP(w, r)
}

// origin rejects requests of foreign web pages. Only browsers send an Origin.
func (s *Server) origin(w http.ResponseWriter, r *http.Request, next http.Handler) {
	for _, origin := range r.Header.Values("Origin") {
		name, host, err := originName(origin)
		if err != nil || !isLoopback(host) && !s.origins[name] {
			s.refuse(w, r, wire.NewError(http.StatusForbidden, memory.CodeRefused, "web pages of this origin may not speak to engram",
				"start engram serve with --allow-origin ORIGIN if they should"), "origin", origin)
			return
		}
	}
	next.ServeHTTP(w, r)
}

// isLocal reports whether a name is the very address that was connected to.
// Names can be made to resolve to anything; addresses cannot.
func isLocal(r *http.Request, name string) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	addr, err := netip.ParseAddr(name)
	return ok && err == nil && addr.Unmap() == local.AddrPort().Addr().Unmap()
}

func isLoopback(name string) bool {
	if name == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.Unmap().IsLoopback()
}

// hostName is the name in a Host header, in lower case, without port and
// brackets.
func hostName(host string) (string, bool) {
	name := host
	if h, port, err := net.SplitHostPort(host); err == nil {
		if port == "" || strings.Trim(port, "0123456789") != "" {
			return "", false
		}
		name = h
	} else if inner, ok := strings.CutPrefix(host, "["); ok {
		if name, ok = strings.CutSuffix(inner, "]"); !ok {
			return "", false
		}
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	return name, name != "" && !strings.ContainsAny(name, " /@?#[]%")
}

// originName is an origin as it is compared, and the host in it. "null" is none:
// every sandboxed page and every local file says that.
func originName(origin string) (name, host string, err error) {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Path != "" || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return "", "", fmt.Errorf("%.80q is not an origin; one looks like https://memory.example", origin)
	}
	host, ok := hostName(u.Host)
	if !ok {
		return "", "", fmt.Errorf("%.80q is not an origin; one looks like https://memory.example", origin)
	}
	return u.Scheme + "://" + strings.ToLower(u.Host), host, nil
}

// hostNames is the set of hosts that are allowed; those of loopback always are.
func hostNames(hosts []string) (map[string]bool, error) {
	set := make(map[string]bool)
	for _, h := range hosts {
		name, ok := hostName(h)
		if !ok || strings.Contains(name, "*") {
			return nil, fmt.Errorf("%.80q is not a host; one looks like memory.example", h)
		}
		if !isLoopback(name) {
			set[name] = true
		}
	}
	return set, nil
}

func originNames(origins []string) (map[string]bool, error) {
	set := make(map[string]bool)
	for _, o := range origins {
		name, host, err := originName(strings.TrimSuffix(o, "/"))
		if err != nil {
			return nil, err
		}
		if strings.Contains(host, "*") {
			return nil, fmt.Errorf("%.80q: every origin is named by itself", o)
		}
		if !isLoopback(host) {
			set[name] = true
		}
	}
	return set, nil
}
