package tool

import "engram/internal/hint"

// toolFor is what a tool, of a profile or of the core ones (""), does of what hints
// advise.
type toolFor struct{ profile, call string }

func toolsFor() map[hint.Action]toolFor {
	return map[hint.Action]toolFor{
		hint.Query:            {"", "engram_query"},
		hint.ListFacts:        {"", "engram_query"},
		hint.Commit:           {"", "engram_commit"},
		hint.ShowLog:          {"", "engram_get with key=%s and history=20"},
		hint.ListConflicts:    {"", "engram_conflicts"},
		hint.ListAllConflicts: {"", "engram_conflicts with status=all"},
		hint.Resolve:          {"", "engram_resolve"},
		hint.Judge:            {"", "engram_judge"},
		hint.ListUndecided:    {"", "engram_status"},
		hint.Init:             {"team", "engram_init"},
		hint.Invite:           {"team", "engram_init with invite=true"},
		hint.ListSessions:     {"team", "engram_session with action=list"},
		hint.ShowSession:      {"team", "engram_session with action=show and session_id=%s"},
		hint.WhyLines:         {"team", "engram_session with action=why and path=%s"},
		hint.DelegateTask:     {"team", "engram_delegate"},
		hint.ReportResult:     {"team", "engram_report with key=%s"},
		hint.ReadPointer:      {"bus", "less_deref_pointer"},
		hint.IssueGrant:       {"bus", "less_issue_grant"},
		hint.ValidateMessage:  {"bus", "less_submit_message"},
	}
}

// Words name the tools that the server has, and fields as the arguments of a tool. What
// no tool does is a command for whoever has a shell.
func (s *Server) Words(arguments Fields) hint.Words {
	tools := toolsFor()
	return hint.Words{
		Action: func(a hint.Action) string {
			if tool := tools[a]; tool.profile == "" || s.Has(tool.profile) {
				return tool.call
			}
			return ""
		},
		Command: "`%s` (in a shell)",
		Field: func(f hint.Field) string {
			if f == hint.MemoryBranch {
				return "memory in .engram.yml"
			}
			return arguments.of(string(f))
		},
	}
}
