import { composedKind } from '../kind.ts'

export const newsletter = composedKind({
  name: 'newsletter',
  asks: /\bnews ?letters?\b/i,
  about: 'this month',
  grammar: `
# answer
* **{title}**

  {hello}

  **In brief**
  - {brief, exactly 3}

  **{feature title}**
  {feature}

  **Coming up**
  - {coming, exactly 2}

  {bye}

# title
* [with company] {company}: the newsletter for {topic, title}
* [without company] Newsletter: {topic, title}
* [without company] Our news: {topic, title}

# hello
* [with audience] Dear {audience},
  here is what has happened since last time, and what comes next.
* Hello everyone! A short look at what is new, what went well, and what comes next.
* This issue is about {the topic}. Five minutes, no small print: here is what you should know.

# brief
* [with point] {point, capital}
* New: [what is new, in one sentence]
* Done: [what was finished, and who made it happen]
* In figures: [one number that says something]
* Thank you: [a name, and what for]

# feature title
* A closer look
* What we learned
* Behind the scenes

# feature
* [The story of the month, in three sentences.] It is not over yet: [what happens next].
* We asked [a name] for one thing worth passing on. The answer: “[a quotation].” We have little to add, except our thanks.
* [What you tried], [what happened], and [what you would do again].

# coming
* [with when] {day, capital}: [what happens then]
* [Date]: [an event, and where]
* [Date]: [a deadline that is easy to forget]
* Soon: [something to look forward to]

# bye
* Questions, corrections, applause? Simply reply to this message.
* Until next time, and thank you for reading to the end.
`,
})
