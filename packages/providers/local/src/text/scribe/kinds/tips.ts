import { composedKind } from '../kind.ts'

export const tips = composedKind({
  name: 'tips',
  asks: /\b(?:tips|advice|recommendations?|best practices|lessons|do(?:s|’s|'s)? and don(?:ts|’ts|'ts)|how to|steps (?:to|for))\b/i,
  fits: ({ instruction }) => !/\bexplain\b/i.test(instruction),
  about: 'a good day',
  grammar: `
# answer
* {lead}

  1. {tip, 5 times}

  {close}
* 1. {tip, 5 times}
* {lead}

  - {tip, 5 times}

# lead
* General advice on {the topic} (scribe knows no particulars):
* A few things that help with {the topic}, whoever you are:

# tip
* **Begin before you are ready.** Ten minutes of {the topic} today are worth more than a plan for next month.
* **Make it easy to start.** Lay out what you need the evening before.
* **Choose one thing.** Leave the rest for later, in writing, so that it stops nagging.
* **Ask somebody who has done it.** Most people like to be asked.
* **Expect a dip.** The second week is harder than the first; it passes.
* **Keep a trace.** A line a day shows progress that you would not feel.
* **Rest on purpose.** {quality, capital} work needs pauses.
* **Measure what you can change.** Leave the rest alone.
* **Stop while it is going well.** You will be glad to come back.
* **Be kind to the beginner.** Even if the beginner is you.

# close
* None of this is new; doing it is.
* Pick two, and forget the others for now.
`,
})
