package toolview

import "testing"

func TestReadSaid(t *testing.T) {
	tests := []struct{ name, text, before, want string }{
		{"command", "<command-name>/cost</command-name>\n   <command-message>cost</command-message>\n   <command-args></command-args>", "", "/cost"},
		{"command with arguments", "<command-message>model is set</command-message>\n<command-name>/model</command-name>\n<command-args>opus</command-args>", "", "/model opus"},
		{"output", "<local-command-stdout>Total cost: $0.10\nTotal duration: 3s</local-command-stdout>", "/cost", "output of /cost: Total cost: $0.10 Total duration: 3s"},
		{"output of an unknown command", "<local-command-stdout></local-command-stdout>", "", "output: nothing"},
		{"caveat", "<local-command-caveat>Caveat: The messages below</local-command-caveat>", "", "caveat: The messages below"},
		{"shell", "<bash-input>git status</bash-input>", "", "! git status"},
		{"shell output", "<bash-stdout>clean</bash-stdout>", "! git status", "output of ! git status: clean"},
		{"environment", "<environment_context>\n  <cwd>/src</cwd>\n  <shell>bash</shell>\n</environment_context>", "", "environment: cwd /src shell bash"},
		{"shell of codex", "<user_shell_command>\n<command>\nenv\n</command>\n<result>Exit code: 0</result>", "", "! env"},
		{"permissions", "<permissions instructions>\nFilesystem sandboxing", "", "permissions: Filesystem sandboxing"},
		{"page of a person", "<div>hello</div>", "", ""},
		{"comparison", "a < b and c > d", "", ""},
		{"beginning of a longer name", "<system-reminders>x</system-reminders>", "", ""},
		{"lone bracket", "<system-reminder>if a <b then", "", "reminder: if a <b then"},
		{"empty", "", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, ok := ReadSaid(test.text, test.before)
			if got := s.Row(); ok != (test.want != "") || got != test.want {
				t.Errorf("got %q, %v; want %q", got, ok, test.want)
			}
		})
	}
}
