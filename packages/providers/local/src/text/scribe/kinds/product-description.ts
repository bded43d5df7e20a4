import { composedKind } from '../kind.ts'
import { fieldOf } from '../lexicon/field-of.ts'

export const productDescription = composedKind({
  name: 'product description',
  asks: /\bproduct (?:description|text|copy|page|blurb|listing)\b|\b(?:description|copy|blurb|listing) (?:of|for) (?:a |an |the |my |our )?(?:new )?(?:product|shop item)\b|\b(?:sales|marketing|ad) copy\b|\b(?:advert|advertisement|ad)\b/i,
  slots: ({ topic = '' }) => {
    const many = /[^s’'iu]s$/i.test(topic)
    return {
      'own quality': fieldOf(topic).quality,
      them: many ? 'them' : 'it',
      'it is': many ? 'they are' : 'it is',
    }
  },
  about: 'your new favorite',
  grammar: `
# answer
* [with point] **{headline}**

  {hook} {benefit, about 2}

  - {point, each}
  - {feature, exactly 3}

  {call}
* [without point] **{headline}**

  {hook} {benefit, about 2}

  - {feature, 4 times}

  {call}
* [without point] **{headline}**

  {hook} {benefit, about 3} {for whom}

  {call}
* [without point] {hook} {benefit, about 2}

  Why you will like it:
  - {feature, 4 times}

  {for whom} {call}

# headline
* [with name] {name}: {the claim}
* [without name] {topic, title}: {the claim}
* [without name] Meet {the topic, title}
* [with name] Meet {name}

# the claim
* {promise}
* {quality}, day after day
* {quality} by design
* made to be used

# what
* [with name] {name}
* [without name] {the topic}

# hook
* Done well, down to the last detail: {what}.
* Some things you buy once and forget about. Not {what}.
* Picture {sight}, and {sound}. Now picture the same with {what}.
* {what, capital} will be missed on the days when you leave home without {them}.
* You may come for {promise}. You will stay for everything else about {what}.
* [upbeat] Say hello to {what}: {quality}, ready and yours.
* [playful] Warning: {what} may cause envy among neighbors.

# quality
* {own quality}
* well made
* handy
* good-looking

# benefit
* {quality, capital} where it counts, and easy on the eye.
* You notice the difference on the first day, and you would miss {them} on the hundredth.
* Take {them} to {place}, lend {them} to a friend, use {them} every day: {it is} made for that.
* There is nothing to study first: take {them} out, and go.
* Somebody has thought about the details, so that you don’t have to.
* What you get is simple: {promise}.

# feature
* {merit}

# for whom
* [with audience] Made with {audience} in mind.
* [without audience] A good choice for yourself, and a better gift.
* [without audience] For everyone who would rather own one good thing than three poor ones.

# call
* [with amount] Yours for {amount}.
* [with where] Find it {where}.
* [without amount] Bring {them} home today.
* [without amount] Try {them} once, and keep {them} for years.
* Order yours today.
`,
})
