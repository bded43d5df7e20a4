import { composedKind } from '../kind.ts'

export const questions = composedKind({
  name: 'questions',
  asks: /\b(?:(?:interview|survey|discussion|quiz|icebreaker|ice-breaker|conversation) questions?|questions? (?:to ask|for|about|on)|icebreakers?|list of questions)\b/i,
  slots: ({ instruction }) => ({
    role: /\b(?:interview questions? (?:for|to ask)|interview(?:s|ing)?(?: with)?) (an? [\p{L} -]{3,50})/iu.exec(
      instruction,
    )?.[1],
  }),
  about: 'your work',
  grammar: `
# answer
* {lead}

  1. {question, 6 times}
* [without role] 1. {question, 6 times}

# lead
* [with role] Questions for {role}:
* [without role] Questions about {the topic}:
* [without role] To get people talking about {the topic}:

# question
* [with role] What made you want to work as {role}?
* [with role] Tell me about a day as {role} that you still think about.
* [with role] What is the hardest part of the work, and how do you handle it?
* [with role] When did you last change your mind about something at work?
* [with role] How do you notice that you need help, and whom do you ask?
* [with role] What would your last team miss most about you?
* [with role] What should we have asked that we did not?
* [with role] How do you keep your word when two people need you at once?
* [without role] What first drew you to {the topic}?
* [without role] What do most people get wrong about {the topic}?
* [without role] Which part of {the topic} would you miss first?
* [without role] Can you tell me about a time when {the topic} did not go as planned?
* [without role] What would you change about {the topic}, if it were up to you?
* [without role] Who taught you the most about it, and how?
* [without role] How would you explain {the topic} to a ten-year-old?
* [without role] What will {the topic} look like in ten years?
* [without role] What does a good day with {the topic} look like?
* [without role] What should I have asked, and did not?
`,
})
