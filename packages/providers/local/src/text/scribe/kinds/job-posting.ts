import { composedKind } from '../kind.ts'

export const jobPosting = composedKind({
  name: 'job posting',
  asks: /\b(?:job (?:posting|ad|advert|description|offer|listing)|vacancy|hiring post)\b/i,
  about: 'a new colleague',
  grammar: `
# answer
* **{We seek}**

  {about us}

  **What you will do**
  - {task, exactly 3}

  **What you bring**
  - {skill, exactly 3}

  **What you get**
  - {offer, exactly 3}

  {apply}
* **{topic, title}** {?place line}

  {about us} {why now}

  You will: {task, exactly 3}.
  You bring: {skill, exactly 3}.
  You get: {offer, exactly 3}.

  {apply}

# We seek
* [with company] {company} is looking for {a topic}
* [without company] We are looking for {a topic}

# place line
* [with where] ({where})

# about us
* [with company] {company} is a small team with a clear aim: [what you do, in one sentence].
* [without company] We are a small team with a clear aim: [what you do, in one sentence].

# why now
* The work is growing, and we want to grow with care.

# task
* [with point] {point}
* take care of [main task], from start to finish
* work closely with people who do [neighboring task]
* notice what could be simpler, and make it so
* share what you know

# skill
* experience with [field], however you came by it
* a calm and friendly way of working
* clear words, written and spoken
* curiosity, and the patience to follow it

# offer
* [with amount] {amount}
* a fair wage [range]
* time to learn, and people to learn from
* hours that leave room for a life
* a chair that does not squeak

# apply
* Write to [address]; a few honest lines are worth more than a long file.
* We look forward to hearing from you [by date].
`,
})
