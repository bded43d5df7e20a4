import { composedKind } from '../kind.ts'
import { roles } from '../brief/find-people.ts'
import { letterParts } from '../parts/letter-parts.ts'

export const congratulations = composedKind({
  name: 'congratulations',
  asks: /\b(?:congratulat\w+|birthday (?:card|wish(?:es)?|message|greeting)s?|happy (?:birthday|anniversary)|wedding (?:wishes|message|card)|greeting card|get[- ]well|condolence\w*|well wishes|holiday (?:card|greeting)s?|christmas (?:card|message)|(?:e-?mail|letter|note|message|card)\b.*?\bcongratulat\w+)\b/i,
  slots: ({ instruction }) => ({
    sorrow: /\b(?:condolence|sympathy|get[- ]well|funeral|loss)/i.test(instruction) ? 'yes' : undefined,
    christmas: /\bchristmas\b/i.test(instruction) ? 'yes' : undefined,
    birthday: /\bbirthday\b/i.test(instruction) ? 'yes' : undefined,
    relative: new RegExp(`\\b(?:for|to) my ((?:\\w+ )?(?:${roles}))\\b`, 'i').exec(instruction)?.[1],
  }),
  about: 'the good news',
  grammar: `
${letterParts}
# answer
* [with recipient] {salutation},

  {wish} {because}

  {hope}

  {farewell},
  {signature}
* [with relative, without recipient] To my {relative},

  {wish} {because}

  {hope}

  {farewell},
  {signature}
* [without relative, without recipient] {wish} {because} {hope}

# wish
* [with sorrow] I was so sorry to hear the news.
* [with sorrow] I am thinking of you in these days.
* [with birthday] Happy birthday!
* [with birthday] All the very best for your birthday!
* [with christmas] Merry Christmas!
* [with christmas] A merry Christmas, and a quiet one if that is what you need!
* [without sorrow, without birthday, without christmas] Congratulations on {the topic}!
* [without sorrow, without birthday, without christmas] What wonderful news: {the topic}!

# because
* [with sorrow] There are no right words, so let me just say that I am here.
* [with sorrow] Take all the time that you need, and let others carry something for you.
* [without sorrow, without christmas] Nobody has earned it more.
* [without sorrow] You make everything around you a little brighter, and today it is your turn.
* [without sorrow] May the day be full of good company, and end with something sweet.

# hope
* [with sorrow] If there is anything I can do, call me at any hour.
* [with sorrow] I am sending you strength and warmth.
* [without sorrow] May the year ahead be bright, and kind to you.
* [without sorrow] Here is to all that comes next.
* [without sorrow] I hope that we can raise a glass together soon.
`,
})
