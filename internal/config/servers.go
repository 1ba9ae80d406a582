package config

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// ServersFile is the name of the file of credentials for servers, next to the settings file. Only its owner may be
// able to read it.
const ServersFile = "servers.toml"

// A server is an entry of the file:
//
//	[[server]]
//	address  = "postgres://db.example.com/traces" # a scheme and a host, with or without a path
//	user     = "lens"
//	password = "…"
type server struct{ Address, User, Password string }

// Credentials returns the user and the password that the user's file of servers gives to an address, or "" for
// both. A file that others can read, or that contains an error, is a [Fault].
func (s *Settings) Credentials(u *url.URL) (user, password string, err error) {
	if s.Path == "" {
		return "", "", nil
	}
	path := filepath.Join(filepath.Dir(s.Path), ServersFile)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", "", nil
	}
	if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", "", Fault{Path: path, Message: "others can read it: chmod 600 it, as it holds passwords"}
	}
	data, err := read(path)
	if err != nil {
		return "", "", Fault{Path: path, Message: plain(err).Error()}
	}
	var file struct{ Server []server }
	if err := toml.Unmarshal(data, &file); err != nil { // its error may quote a password
		fault := Fault{Path: path, Message: "it is not valid TOML"}
		var at *toml.DecodeError
		if errors.As(err, &at) {
			fault.Line, _ = at.Position()
		}
		return "", "", fault
	}
	for _, one := range file.Server {
		a, err := url.Parse(one.Address)
		if err != nil || a.Host == "" {
			return "", "", Fault{Path: path, Message: "an address without a scheme and a host"}
		}
		if a.Scheme == u.Scheme && a.Host == u.Host && strings.HasPrefix(u.Path, strings.TrimSuffix(a.Path, "/")) {
			return one.User, one.Password, nil
		}
	}
	return "", "", nil
}
