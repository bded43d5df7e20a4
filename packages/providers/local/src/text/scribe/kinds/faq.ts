import { composedKind } from '../kind.ts'

export const faq = composedKind({
  name: 'FAQ',
  asks: /\b(?:faqs?|frequently asked questions|q ?& ?a)\b/i,
  about: 'our service',
  grammar: `
# answer
* **{topic, title}: questions and answers**

  {what}

  {entry, exactly 4}
* {what}

  {entry, exactly 3}

  Anything else? Write to [address], and a person will answer.

# what
* **What {is} {the topic}?**
  [One sentence.]
* **What {is} {the topic}, in one sentence?**
  [The sentence.]

# entry
* **Who {is} {the topic} for?**
  {for whom}
  
* **How do I get started?**
  [First step.] It takes a few minutes and no preparation.
  
* **What {does} {it} cost?**
  {cost}
  
* **What if it does not work out?**
  Tell us. We will look at it together and find a fair way.
  
* **Where can I learn more?**
  At [address], or from anyone who uses {the topic} already.
  
* **How long does it take?**
  [Duration.] Most people are surprised how soon they feel at home with it.

# for whom
* [with audience] For {audience}, and for those who help them.
* [without audience] For anyone who would rather keep things simple.

# cost
* [with amount] {amount}, and nothing on top.
* [without amount] [Price.] There are no hidden extras.
`,
})
