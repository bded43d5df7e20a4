import { composedKind } from '../kind.ts'

export const speech = composedKind({
  name: 'speech',
  asks: /\b(?:(?:best man|maid of honou?r)(?:['’]s)? )?(?:speech|toast|eulogy|talk|opening remarks|keynote|welcome address|pep talk)\b/i,
  about: 'all of us',
  grammar: `
# answer
* {address}

  {opening} {thought}

  {story} {thought}

  {close}
* {address}

  {opening}

  {story}

  {thought} {close}

# address
* [formal] Ladies and gentlemen,
* Dear friends,
* [with recipient] Dear {recipient},
* Good evening, everyone,

# opening
* We are here for {the topic}, and I promise to be shorter than the applause.
* If you had told me a year ago that I would stand here and speak about {the topic}, I would have laughed.
* There are occasions that ask for a few words. {the topic, capital} is one of them.
* [playful] I was asked to say something about {the topic}. I was also asked to keep it clean and short. We will see.

# thought
* What I have learned is this: the best things begin as somebody’s stubborn idea.
* None of it happens alone; look around you, and you will see whom I mean.
* It takes patience, it takes humor, and it takes people who stay to put the chairs away.

# story
* I remember one particular day: [a short true story, with one detail that makes people smile].
* Let me tell you what happened when [the moment that says it best].

# close
* So please raise your glasses: to {the topic}!
* Thank you for being here, and for everything that brought us here.
* To {the topic}, and to all that is still to come.
`,
})
