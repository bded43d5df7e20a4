import { composedKind } from '../kind.ts'
import { letterParts } from '../parts/letter-parts.ts'

export const email = composedKind({
  name: 'email',
  asks: /^\W*(?:please )?(?:tell|inform|notify) (?!me\b|us\b|an?\b)[\p{L} ]{2,30}? (?:that|about)\b|\btext (?:to|for) (?:my|our|the)\b|\b(?:e-?mails?|letters?|messages?|memo|write to|note to)\b/iu,
  about: '[the subject]',
  grammar: `${letterParts}
# subject
* [with moved] {topic}: new date
* [with moved] {topic} moved {moved}
* [without asking, without moved] {topic}
* [with asking] a request: {asking}
* [with when] {topic}: {day}
* [without asking, without moved] about {the topic}
* [without asking, without moved] a quick word about {the topic}

# body
* [with point] {opening} {?news} {?timing} {?money}

  The main points:
  - {point, each}

  {request}
* [without point] {opening} {?news} {?timing} {?money}

  {middle}

  {request}
* [without point] {pleasantry} {opening} {?news} {?timing} {?money}

  {request} {thanks}
* [without point] {opening} {?news} {?timing} {?money} {middle}

  {request}

  {thanks}

# pleasantry
* I hope this finds you well.
* I hope your week is going well.
* [warm] It was so good to hear from you.
* [warm] Hope all is well with you.

# opening
* [with moved] I would like to move {the topic} {moved}.
* [with moved] {the topic, capital} {has} moved {moved}.
* [with asking, without moved] I would like to ask you for {asking}.
* [with asking, without moved] May I ask you for {asking}?
* [without late, without asking, without moved] I am writing about {the topic}.
* [without late, without asking, without moved] I wanted to get in touch about {the topic}.
* [without late, without asking, without moved] This is a short note about {the topic}.
* [with late, without moved] I am writing about {the topic}, which should have been settled by now.
* [with late, without moved] I wanted to follow up on {the topic}, as I know you have been waiting.
* [with late, without moved] I owe you an update on {the topic}.
* [playful, without asking, without moved] You may have guessed from the subject line: it is about {the topic}.

# news
* [with message, without moved] {message, capital}.
* [with message, without moved] In short: {message}.
* [with reason] The reason is simple: {reason}.

# timing
* [with when, without message] The date to keep in mind: {day}.

# money
* [with amount] The amount in question is {amount}.

# middle
* [with moved] Everything else stays as planned.
* [with moved] I hope that the new time suits you as well.
* [with late, without moved] I would rather tell you where things stand than leave you guessing, and I will keep you posted until it is settled.
* [with late, without moved] I know that delays cost time on your side as well, and I am sorry for the inconvenience.
* [without moved, without late, without asking, without reason] [What the reader should know about it, in two or three sentences.]
* [without moved, without late, without asking] It should not take long, but I would like us to have the same picture.
* [without moved, without late, with asking] [Why you ask, in one or two sentences.]

# request
* [with moved] Please let me know if the new time does not suit you.
* [with moved] Could you let me know whether you can make it?
* [with late, without moved] Could you let me know whether the current state causes any problem on your side?
* [with late, without moved] If you need anything from me to move it forward, please tell me and I will send it the same day.
* [with late, without moved] Could you tell me by when you would need it settled?
* [with asking, without moved] Would that be possible?
* [with asking, without moved] Please let me know whether that suits you, and what you need from me.
* [without moved, without late, without asking] Could you let me know what you think?
* [without moved, without late, without asking] Would a short call this week suit you?
* [without moved, without late, without asking] Please tell me if anything is missing or unclear.
* [urgent] Please reply today if you can, as this can't wait.

# thanks
* Thank you for your time.
* Many thanks in advance.
* Thank you for your patience.
`,
  slots: ({ instruction }) => ({
    asking: /\b(?:ask(?:ing)?|request(?:ing)?)(?: \w+){0,3} for ((?:an? |the |my |some )?[^.,;\n]{3,80})/i.exec(
      instruction,
    )?.[1],
    late: /\b(?:delay|late|overdue|outstanding|unpaid|missing|pending|postpone)/i.test(instruction) ? 'yes' : undefined,
  }),
})
