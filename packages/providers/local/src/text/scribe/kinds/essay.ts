import { composedKind } from '../kind.ts'

export const essay = composedKind({
  name: 'essay',
  asks: /\b(?:essay|blog ?post|article|paragraphs?|editorial|column|opinion piece|blog|describe|description)\b/i,
  grammar: `
# answer
* **{heading}**

  {opening} {thought, about 2}

  {turn} {thought, about 2}

  {close}
* {opening} {thought, about 3}

  {turn} {thought, about 2} {close}

# heading
* {the topic, title}, Looked at Closely
* What {the topic, title} Can Teach Us
* On {the topic, title}

# opening
* There is more to {the topic} than meets the eye.
* Ask ten people about {the topic}, and you will hear eleven opinions.
* Most of us meet {the topic} long before we think about it.

# thought
* What looks simple from afar turns out to be full of detail.
* The second look shows more than the first.
* There is something in it for those who have time, and something for those who are in a hurry.
* {it, capital} {is} easier to notice than to describe, which is why so many have tried.
* {it, capital} {has} a pace of {its} own, and one does well to respect that.
* An hour is enough to begin, and a lifetime is not enough to finish.
* Some call that old-fashioned; others can’t imagine a day without it.
* [with audience] For {audience} {it} {has} a meaning of {its} own.
* [with point] Then there is {point}, which deserves a page to itself.

# turn
* And yet it is easy to get wrong.
* Of course there is another side to it.
* Things have changed, though, and not only for the worse.
* What does that mean in practice?

# close
* In the end {the topic} ask{s} for what all good things ask for: time, care, and a little humor.
* {it, capital} may not change the world; {it} change{s} the afternoon, and that is a beginning.
* Whoever has once looked closely at {the topic} will not pass by again.
`,
})
