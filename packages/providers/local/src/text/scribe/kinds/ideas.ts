import type { Slots } from '../grammar/compose.ts'
import { composedKind } from '../kind.ts'

export const ideas = composedKind({
  name: 'ideas',
  asks: /\b(?:ideas?|brainstorm(?:ing)?|suggestions?|ways to|things to do|inspiration|activities|(?:blog|article|video|podcast|essay|discussion) topics)\b/i,
  about: 'a free afternoon',
  slots: ({ instruction }) => occasionOf(instruction),
  grammar: `
# answer
* {lead}

  1. {idea, 6 times}
* {lead}

  1. {idea, 6 times}

  {advice}
* {lead}

  - {idea, 6 times}

  {advice}

# lead
* Ideas for {the topic}:
* [without occasion] {the topic, capital}: a few thoughts, the simplest first:
* For {the topic}, from quick to elaborate:

# idea
* [with gift] {present}
* [with meal] {dish}
* [with outing] {outing}
* [with party] {entertainment}
* [with venture] {venture}
* [with content] {piece}
* [without occasion] {approach}

# present
* **A letter**: one page of what you never say aloud.
* **Something that grows**: a pot of herbs, a bulb, a small tree with a name tag.
* **The best of something plain**: the warmest socks, the sharpest knife, the softest towel.
* **An hour, wrapped**: a voucher for a walk, a meal or a repair, written by hand.
* **A photograph, framed**: one that nobody else has.
* **A class for two**: pottery, bread or dancing; half of the gift is going together.
* **A book that you loved**: your own copy, with notes in the margins.
* **A recipe and all that goes into it**: ready for a rainy evening.
* **Three small things**: one to eat, one to use, one to laugh about.
* **The thing mentioned in passing**: think back to the last three conversations.

# dish
* **One-pot pasta**: tomatoes, garlic and spinach, all in the same pot.
* **Breakfast in the evening**: an omelette, toast and a tomato salad.
* **A tray from the oven**: root vegetables and chickpeas, roasted until the edges brown.
* **Fried rice**: yesterday’s rice, an egg and whatever the fridge still holds.
* **Soup and toast**: lentil or pumpkin, with grilled cheese on the side.
* **Tacos**: small bowls on the table, and everybody builds their own.
* **Noodle bowls**: broth, ginger, greens and a soft egg.
* **Baked potatoes**: with beans, with herbs and cheese, with anything.
* **A salad that counts as a meal**: grains, nuts, something roasted, something sharp.
* **Flatbread pizza**: no dough, no waiting.

# outing
* **Tourists at home**: the museum that you always walk past, and coffee afterwards.
* **Cook one country**: music, food and ten words of the language.
* **A picnic, whatever the weather**: the living-room floor counts.
* **The long way round**: a walk without a map; a coin decides at every corner.
* **A film from the year you were born**: with the snacks of the time.
* **Learn one thing together**: a card trick, a dance step, how to juggle.
* **Market lunch**: a small sum each, an hour apart, then share what you found.
* **Games by candlelight**: cards, dice, and the loser washes up.
* **Swap playlists**: one song each, and the story behind it.
* **Up early**: a sunrise, a flask of tea, and home before the day begins.

# entertainment
* **A theme in one word**: a color, a decade, a city.
* **Everybody brings a dish**: and a card that says where it comes from.
* **A quiz about the host**: ten questions, one of them impossible.
* **A photo corner**: a sheet, a lamp and a box of hats.
* **One table outside**: with blankets, lanterns and something hot.
* **A playlist made by the guests**: one song each, collected beforehand.
* **A treasure hunt**: short, silly, and ending at the food.
* **An hour of making**: paint, dough or paper, and everyone takes something home.

# venture
* **Mend it**: repairs while people wait, with coffee.
* **Lend it**: what everyone needs twice a year and nobody should have to own.
* **The dull part, done**: take over the one chore that {the topic} always bring{s} with it.
* **Teach it**: evening classes for beginners, small groups, no exams.
* **One thing only**: the best of its kind within ten miles, and nothing else on the shelf.
* **A second life**: collect what others throw out, and sell it with its story.
* **To the door**: a weekly round with a fixed day and a short list.
* **For those in a hurry**: the same as everybody else, ready before eight.

# piece
* **The beginner’s question**: what everybody asks first about {the topic}, answered in full.
* **A mistake and what it taught**: yours, with the cost.
* **Behind the scenes**: one ordinary day, hour by hour.
* **Then and now**: what has changed about {the topic}, and what never will.
* **Three that get it right**: and the one thing that they share.
* **An interview**: five questions to someone who has done it for twenty years.
* **The myth**: something that everybody believes about {the topic}, taken apart.
* **The tools**: what you use, what you tried, what you gave away.

# approach
* **Start small**: try {the topic} with {few} people before anyone else hears of it.
* **Turn it round**: plan it for half the time, and keep what survives.
* **Borrow**: look at how {other field} do it, and keep the best part.
* **Tell a story**: begin with {sight} and let the rest follow.
* **Go outside**: take {the topic} to {place} and see what changes.
* **Invite someone new**: a beginner asks the questions that everyone else has forgotten.
* **Make it a game**: small teams, a clock and a silly prize.
* **Write it down**: one page on what {the topic} {is} for, before what {it} cost{s}.
* **Do the opposite**: leave out what everybody expects, and see who notices.
* **Share the work**: let each person bring one thing.
* **Celebrate the middle**: a small party halfway, when it is needed most.
* **Keep a record**: a photo a day, and an exhibition at the end.

# few
* three
* five
* two

# other field
* bakers
* libraries
* sports clubs
* street markets
* theater companies

# advice
* Pick the one that makes you smile, and give it a week.
* If you can only do one, do the first.
* Two of these go well together; see which.
`,
})

/** What kind of ideas is wanted; each has a list of its own. The first that fits is meant. */
const occasions: Readonly<Record<string, RegExp>> = {
  gift: /\b(?:gifts?|presents?|stocking)\b/i,
  content: /\b(?:blog|article|content|video|podcast|post|newsletter|writing|essay|youtube|caption)s?\b/i,
  meal: /\b(?:dinner|lunch|breakfast|brunch|supper|meals?|recipes?|snacks?|cooking|food|dishes|potluck)\b(?! party)/i,
  party: /\b(?:party|parties|celebrations?|birthday|wedding|reception|team[- ]building|baby shower)\b/i,
  venture: /\b(?:business|start-?ups?|side (?:hustle|project)|company|shop|products?|apps?|money)\b/i,
  outing:
    /\b(?:dates?|date night|weekend|activities|things to do|afternoon|evening|day out|holiday|vacation|trip|outing|rainy day|fun|family time)\b/i,
}

function occasionOf(instruction: string): Slots {
  const occasion = Object.keys(occasions).find((name) => occasions[name]!.test(instruction))
  const none = Object.fromEntries(Object.keys(occasions).map((name) => [name, undefined]))
  return { ...none, occasion, ...(occasion !== undefined && { [occasion]: 'yes' }) }
}
