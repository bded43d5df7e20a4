import { composedKind } from '../kind.ts'

export const meetingNotes = composedKind({
  name: 'meeting notes',
  asks: /\b(?:meeting (?:notes|minutes|summary|protocol)|minutes (?:of|for|from))\b/i,
  about: 'our meeting',
  slots: ({ prompt }) => ({ names: namesIn(prompt) }),
  grammar: `
# answer
* **Notes: {topic, title}**
  Date: {the date}
  Present: {present}

  **Discussed**
  - {discussed, 4 times}

  **Decided**
  - {decided, exactly 2}

  **To do**
  - [ ] {task, exactly 3}
* **{topic, title}: minutes**
  {the date} · {present}

  1. {discussed, 4 times}

  Decisions: {decision, exactly 2}.

  Next steps: {step, exactly 2}. Next meeting: [date].

# the date
* [with when] {day, capital}
* [without when] [date]

# present
* [with names] {names}
* [with recipient, without names] {recipient}, [others]
* [without recipient, without names] [names]

# discussed
* [with point] {point, capital}
* Where {the topic} stands, and what is still missing
* What has changed since the last meeting
* Time and budget: tight, but within what was planned
* Feedback so far, and what follows from it
* Risks: one known, one suspected

# decided
* {decision, capital}

# decision
* to go on with {the topic} as planned
* to look at the open question again [on date]
* to keep the circle small until the first draft is ready

# task
* {step, capital}

# step
* [name] sends the revised plan [by date]
* [name] checks the figures once more
* [name] asks those concerned and reports back
* all read the draft before the next meeting
`,
})

const name = '\\p{Lu}[\\p{L}’-]+(?: \\p{Lu}[\\p{L}’-]+)*'
const names = new RegExp(`(?:\\bfor|\\bwith|:) (${name}(?:, ${name})*(?:,| and|, and| &) ${name})`, 'u')

/** "Anna, Ben and Carla": at least two. */
function namesIn(prompt: string): string | undefined {
  return names.exec(prompt.slice(0, 2_000))?.[1]?.replaceAll(/,? (?:and|&) /g, ', ')
}
