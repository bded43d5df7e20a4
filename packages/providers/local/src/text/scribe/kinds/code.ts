import { needsProvider } from '../honest.ts'
import { workingKind } from '../kind.ts'

export const code = workingKind({
  name: 'code',
  asks: /\b(?:write|create|give|show|implement|fix|debug|refactor|review|optimi[sz]e|convert|generate|make|build|explain|need)\b[^.?!\n]{0,60}\b(?:code|function|script|regex|regular expression|sql|query|algorithm|unit tests?|python|javascript|typescript|java|rust|golang|c\+\+|bash|html|css|json|dockerfile|class that|program that|react component|method that)\b|\b(?:return|output|answer in|respond (?:in|with)|reply (?:in|with)|valid|as) json\b|^\s*(?:def \w+\(|function \w*\(|class \w+ *[:({]|import [\w{}*, ]+ from |const \w+ =|let \w+ =|var \w+ =|public (?:static|class|void) |#include|select .+ from |<\?php|<!doctype)/i,
  turn: 'first',
  fits: ({ instruction }) =>
    /\bjson\b/i.test(instruction) ||
    !/\b(?:story|poem|haiku|slogan|blog|email|e-mail|agenda|job|cover letter|bio|announcement|names?)\b/i.test(
      instruction,
    ),
  work: () => needsProvider('code'),
})
