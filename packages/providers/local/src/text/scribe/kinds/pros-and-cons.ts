import { composedKind } from '../kind.ts'

export const prosAndCons = composedKind({
  name: 'pros and cons',
  asks: /\b(?:pros (?:and|&) cons|pros\/cons|advantages and disadvantages|benefits and drawbacks|for and against|benefits of|advantages of|reasons (?:to|for|why)|arguments (?:for|against)|versus|vs\.?)\b/i,
  about: 'the decision',
  slots: ({ instruction }) => ({
    'one side': /\b(?:benefits|advantages|reasons)\b(?!.*\b(?:cons|disadvantages|drawbacks|against)\b)/i.test(
      instruction,
    )
      ? 'yes'
      : undefined,
  }),
  grammar: `
# answer
* [with one side] {general}

  1. {pro, 5 times}
* [with one side] 1. {pro, 5 times}

  {general}
* [without one side] **{topic, title}**

  **For**
  - {pro, 3 times}

  **Against**
  - {con, 3 times}

  {verdict}
* [without one side] {lead}

  In favor: {pro, exactly 3}.

  Against: {con, exactly 3}.

  {verdict}

# general
* What speaks for {the topic}, in general terms; scribe knows no particulars.
* These are general points for {the topic}; the particulars are yours to add.

# lead
* Two sides of {the topic}, as general considerations; scribe knows no facts to weigh them with.

# pro
* it may save time once it has become a habit [how much]
* it may give more freedom to those who use it well [to do what]
* it can be undone if it does not work out
* others have gone the way before you, and can be asked

# con
* it costs attention at the beginning
* it does not suit everyone equally
* its costs tend to show later than its benefits
* much depends on the people involved
* it is easy to do halfway, and halfway is worse than not at all

# verdict
* On balance: {the topic} {is} worth a trial with a date on which you look back at it.
* What tips the scale is which of these weighs most for you; mark one on each side.
`,
})
