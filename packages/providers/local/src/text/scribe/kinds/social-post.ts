import { composedKind } from '../kind.ts'

export const socialPost = composedKind({
  name: 'social post',
  asks: /\b(?:social(?: media)? posts?|tweets?|linkedin(?: post)?|instagram(?: (?:post|caption))?|facebook(?: post)?|captions?|post (?:about|on|for|announcing)|mastodon|threads? post)\b/i,
  about: 'the week',
  grammar: `
# answer
* {hook} {thought} {?offer}

  {ask}

  {tags}
* [without amount] {hook}

  {thought} {detail line}

  {tags}
* [with amount] {hook} {offer} {ask}

  {tags}
* [without amount] {hook} {detail line} {ask} {tags}

# hook
* [with name] Meet {name}: {the topic}.
* [with name] {name} is here, and with it {the topic}.
* [without name] Something we have been looking forward to telling you: {the topic}!
* [without name] {the topic, capital}. That is the post.
* [without name] Today is all about {the topic}.
* [upbeat, without name] It is finally here: {the topic}! 🎉
* [formal, without name] I am pleased to share some news about {the topic}.
* [playful, without name] We were told not to make a fuss about {the topic}. So here is a fuss about {the topic}. 🥳

# offer
* [with amount, with when] {amount}, {when}.
* [with amount, without when] {amount}, while it lasts.

# thought
* It began with {sight} and a good question.
* It took longer than planned, and it was worth every hour.
* Small thing, big difference.
* What we learned on the way: {quality} beats perfect.
* [with message] In one line: {message}.

# detail line
* [with when] Save the date: {day}.
* [with where] Come and find us {where}.
* [with point] Worth knowing: {point}.
* More in the comments.
* Thank you to everyone who had a hand in it.

# ask
* What would you add?
* Tell us what you think.
* Who should see this? Tag them.

# tags
* #{topic, hashtag}
`,
})
