import { describe, expect, test } from 'vitest'
import { findTopic } from './find-topic.ts'

const kindWords = /\b(?:e-?mail|haiku|slogan|story|ideas|note|invitation|apology|outline|product description)\b/i

describe('findTopic', () => {
  test.each([
    ['draft an email to Maria about the delayed invoice', 'the delayed invoice'],
    ['product description for a solar lantern', 'a solar lantern'],
    ['tell me a story about a fox and a lantern', 'a fox and a lantern'],
    ['explain photosynthesis', 'photosynthesis'],
    ['explain photosynthesis to a child in 50 words', 'photosynthesis'],
    ['name ideas for a coffee shop', 'a coffee shop'],
    ['haiku rain', 'rain'],
    ['coffee shop slogan', 'coffee shop'],
    ['an apology to a customer for the late delivery', 'the late delivery'],
    ['a thank-you note to Sam for the birthday gift', 'the birthday gift'],
    ['an invitation to my birthday party on Saturday at 7 pm at the Blue Room', 'my birthday party'],
    ['remind Tom that the rent is due on Friday', 'the rent'],
    ['outline for an essay on climate change', 'climate change'],
    ['an email about the new office, in a friendly tone', 'the new office'],
    ['a story about a dragon for kids', 'a dragon'],
    ['plan a trip to Lisbon', 'a trip to Lisbon'],
    ["an email about tomorrow's meeting", 'the meeting'],
    ['Explain what a hash map is', 'a hash map'],
    ['explain to me what the stock market is and why it matters', 'the stock market'],
    ['Explain how photosynthesis works', 'photosynthesis'],
    ['Explain to me how a car engine works', 'a car engine'],
    ['describe what recursion is to a child', 'recursion'],
    ['How to tie a tie', 'tying a tie'],
    ['explain quantum computing like I’m five', 'quantum computing'],
    ['tell my team that the deadline has moved from 1 June to 15 June', 'the deadline'],
    ['tips on how to tie a tie', 'tying a tie'],
    ['advice on how to get up early', 'getting up early'],
    ['explain what is meant by inflation', 'inflation'],
    ['a tagline for a company that sells running shoes', 'running shoes'],
    ['a workout plan for beginners', 'workout plan'],
    ['an email to move a meeting from Friday to Monday', 'a meeting'],
    ['an email to my team about moving the weekly meeting from Friday to Monday at 10 am', 'the weekly meeting'],
    ['an email to Tom about rescheduling our dinner from Tuesday to next Thursday', 'our dinner'],
    ['an email to postpone the call from 3 pm to 5 pm on Tuesday', 'the call'],
  ])('findTopic reads %j', (instruction, topic) => expect(findTopic(instruction, kindWords)).toBe(topic))

  test.each(['write a haiku', 'write me a funny story', 'please write an email'])(
    'findTopic finds none in %j',
    (instruction) => {
      expect(findTopic(instruction, kindWords)).toBeUndefined()
    },
  )
})
