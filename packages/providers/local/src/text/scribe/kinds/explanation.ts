import { composedKind } from '../kind.ts'

export const explanation = composedKind({
  name: 'explanation',
  asks: /\b(?:describe (?:what|how)|explain|explanation|how does|teach me|introduction to|describe how|tell me about|help me understand|guide to|tutorial|eli5)\b/i,
  // Why something is so, and how to do it, are facts.
  fits: ({ instruction }) =>
    !/\bexplain(?: to (?:my )?[\w-]+)? (?:why|how to|how (?:i|you|we|one))\b/i.test(instruction),
  about: 'the subject',
  grammar: `
# answer
* [with short] {honest}

  {short frame}
* [without short] {honest}

  {frame}
* [without short] {honest} {promise}

  {frame}

# honest
* Scribe knows no facts about {the topic}, so this is a frame with gaps; a model provider (set OPENAI_API_KEY or OLLAMA_HOST) would fill them.

# promise
* Fill in the brackets, and you have a clear page.
* It works for a page, a talk or a lesson.

# short frame
* {the topic, capital} {is} [what kind of thing]. {works}
* **In one sentence:** {the topic, capital} {is} [what kind of thing], and [what {it} {does}].

  **In a picture:** {picture}

# frame
* **{topic, capital}, explained{?reader}**

  1. **In one sentence.** {the topic, capital} {is} [what kind of thing], and [what {it} {does}].
  2. **Why it matters.** {matters}
  3. **How it works.** {works}
  4. **An everyday picture.** {picture}
  5. **A common mistake.** {mistake}
  6. **In short.** {in short}
* **What {the topic} {is}**
  {the topic, capital} belong{s} to [the larger subject], and the heart of it is [the central idea]. {matters}

  **The steps**
  {works}

  **An example**
  {picture}

  **What people get wrong**
  {mistake}
* **Question:** What {is} {the topic}, and why should anyone care?

  **The short answer:** [one sentence without a technical term]. {matters}

  **The longer answer:** {works} {picture}

  **To remember:** {in short}

# reader
* [with audience]  for {audience}

# matters
* Without {the topic}, [what would not happen].
* Thanks to {the topic}, [what becomes possible].
* You meet it whenever [an everyday situation], usually without noticing.
* It answers a simple question: [the question, in plain words].

# works
* It starts with [what goes in], goes through [the main change], and ends with [what comes out].
* First [the starting point]; then [what happens next], because [the cause]; and at last [the result].
* Three parts work together: [part one], [part two] and [part three]. Take one away, and [what fails].

# picture
* Think of {everyday}: [which part of the picture stands for which part of {the topic}].
* It is a little like {everyday}, except that [the difference that matters].

# everyday
* a kitchen, where things go in raw and come out changed
* a relay race, where each runner carries the baton only so far
* a busy post office, where everything depends on the address
* a garden, where nothing happens fast and everything depends on light and water

# mistake
* Many think that {the topic} {is} [the usual misunderstanding]; in truth [the correction].
* {the topic, capital} {is} easily confused with [something similar]; the test is [how to tell them apart].

# in short
* {the topic, capital}: [the one thing to remember tomorrow].
* If you keep one sentence, keep this: [the central idea, in ten words].
`,
})
