import { composedKind } from '../kind.ts'
import { letterParts } from '../parts/letter-parts.ts'

export const reminder = composedKind({
  name: 'reminder',
  asks: /\bremind(?:er|ing)?\b|\b(?:e-?mail|letter|note|message)\b.*?\bremind\w*/i,
  about: 'the open point',
  slots: ({ instruction, topic }) => ({
    task: /\bremind\w*(?: [\w’'-]+){1,3}? to (?!(?:the|my|our|an?|all|everyone)\b)[a-z]/i.test(instruction)
      ? topic
      : undefined,
  }),
  grammar: `
${letterParts}
# subject
* [without task] Reminder: {topic}
* [with task] Reminder: please {task}
* [without task] A friendly reminder: {topic}
* [with when, without task] {topic}, {day}
* [urgent, without task] Action needed: {topic}

# body
* {nudge} {?fact} {?date}

  {ask} {crossed}
* {nudge} {?date}

  {?fact} {ask}

  {crossed}

# nudge
* [with task] This is a short reminder to {task}.
* [with task] Before it slips through: please remember to {task}.
* [without task] This is a short reminder about {the topic}.
* [without task] A quick reminder: {the topic} {is} still on the list.
* [without task] Before it slips through: {the topic}.
* [urgent, without task] This is an urgent reminder about {the topic}, still open.

# fact
* [with message] As you know, {message}.
* [with reason] It matters because {reason}.
* [with amount] The amount is {amount}.

# date
* [with when, without message] Please keep the date in mind: {day}.

# ask
* Could you take care of it and let me know once it is done?
* If anything stands in the way, tell me and we will find a way.
* A line from you is enough if you need more time.
* [urgent] Please see to it today.

# crossed
* If this has crossed with your reply, please disregard it.
* Thank you, and sorry to nudge.
* If you have already done so, many thanks.
`,
})
