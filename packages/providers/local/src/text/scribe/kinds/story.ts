import { composedKind } from '../kind.ts'
import { castOf } from '../brief/cast.ts'
import { sample } from '../grammar/sampling.ts'

const heroes = ['lighthouse keeper', 'clockmaker', 'young postman', 'night gardener', 'retired sailor']

export const story = composedKind({
  name: 'story',
  asks: /\b(?:stor(?:y|ies)|tale|fable|fairy ?tale|bedtime|legend|fiction|narrative)\b/i,
  slots: (brief, { sampling }) => {
    const likelihoods = heroes.map((_, index) => -0.2 * index)
    const hero = heroes[sample(likelihoods, sampling)]!
    const noHero = { hero, 'the hero': `the ${hero}`, 'a hero': `a ${hero}` }
    const own = ownCast(brief.topic)
    return { ...(!own && noHero), 'own cast': own ? 'yes' : undefined, 'foreign topic': own ? undefined : brief.topic }
  },
  grammar: `
# answer
* [with short, without very short] {beginning} {departure} {turn} {ending}
* [with short] {beginning} {turn} {ending}
* [with very short] {beginning} {resolution}
* [without short] {title line}

  {beginning} {wish}

  {departure} {trial, about 3}

  {turn} {resolution}

  {ending}
* [without short] {beginning} {wish} {departure}

  {trial, about 4}

  {turn} {resolution} {ending}
* [without short] {title line}

  {beginning}

  {wish} {departure} {trial, about 2}

  {turn}

  {resolution} {ending}

# home
* {place}

# title line
* [with object] **{the hero, title} and {the object, title}**
* [with object] **What {the hero, title} Did with {the object, title}**
* [without object, with asked topic] **{the topic, title}**
* [without object, with own cast] **What {the hero, title} Heard**
* [without asked topic] **{the hero, title} Who Stayed**
* [without asked topic] **What {the hero, title} Heard**

# beginning
* [with foreign topic] Near {home, same}, people spoke of {the topic} the way others speak of the weather: every day, and without expecting to change it. Only {a hero} had begun to wonder.
* [with foreign topic] It was {a hero} who first brought word of {the topic} to {home, same}, and who was not believed.
* [with foreign topic] {a hero, capital} had sworn to have nothing to do with {the topic}, and kept to it for eleven years and a day.
* [with object] Once, near {home, same}, there lived {a hero}, who had never owned anything but {an object}.
* [with object] Nobody could say how {a hero} had come by {an object}, least of all {the hero}.
* [with object] On the coldest night of the year, {a hero} found {an object} by {home, same}.
* [dark, with object] Those who lived near {home, same} did not speak of {the hero}, nor of {the object}.
* [without object, without foreign topic] Once, near {home, same}, there lived {a hero}, who noticed things that others walked past.
* [without object, without foreign topic] There was once {a hero}, who counted the evenings by {sound}.
* [without object, without foreign topic] On the morning when everything changed, {the hero} woke to {sound}.
* [dark] They say that {sound} could be heard near {home, same} long after dark, and that only {the hero} ever went to look.

# wish
* [with foreign topic] “What is it for?” {the hero} asked about {the topic}, and asked again, until the asking itself became a kind of work.
* [with foreign topic] There was a secret to {the topic}, that much was certain, and it was said to lie beyond {home, same}.
* [with object] {the object, capital} had one odd habit: it only seemed to matter when somebody else was in need.
* [with object] Every evening {the hero} looked after {the object}, and every evening {the object} gave back a little more than it was given.
* [without foreign topic] More than anything, {the hero} wanted to see what lay beyond {home, same}.
* [without foreign topic] {the hero, capital} wanted very little: {sight}, {sound}, and somebody to share them with.

# departure
* Then one evening {sound} stopped, and the silence was worse than any storm.
* One night there came a knock, and outside stood a stranger who had lost the way.
* So, before the first light, {the hero} set out for {place}.
* Then word came that the path past {home, same} was gone, and that someone small was missing on the far side.

# trial
* On the way there was {sight}, and nobody to show it to; even the wind seemed to hold its breath.
* [with object] Twice {the object} was nearly lost, and twice {the hero} went back for it.
* By {place} the road divided, and neither sign could be trusted.
* [with foreign topic] A child by the road knew more about {the topic} than all the books had said, and explained it with three pebbles.
* An old woman selling {thing} pointed the way and would take no payment for it.
* When {the hero} grew tired, {sound} came from somewhere ahead, and it was enough to go on.
* Then came {sight}, and beside it a track so faint that a prouder traveler would have missed it.
* [playful] A goose with strong opinions joined the party, and nobody dared to send it home.
* The dark came early, as it does near {home, same}, and with it came doubt.
* [with object] “Is it worth so much to you?” asked a voice from the dark. “It is not mine alone,” said {the hero}, and held {the object} a little higher.

# turn
* [with foreign topic] And there {the hero} understood at last: {the topic} had never been the question, only the way to it.
* [with foreign topic] It was {the topic} that opened the door in the end, though not in the way that anybody had planned.
* And there, when all hope was folded away, {the hero} understood: what was needed was not to be brave, only to stay.
* [with object] At the last moment {the hero} did the one thing that nobody expected, and gave {the object} away.
* [with object] It was then that {the object} showed what it was for.
* Then {the hero} stopped, and listened, and heard beneath {sound} a small voice calling.

# resolution
* [with object] Where {the object} had been a light remained, and by it the lost one found the way home.
* By morning the lost one was found, and nobody near {home, same} could say quite how it had been done.
* They walked home together, slowly, and talked of {thing} all the way.
* What had been missing was given back, and it looked smaller and dearer than before.

# ending
* [with foreign topic] These days, when someone near {home, same} complains about {the topic}, {the hero} only smiles and puts the kettle on.
* [with object] From then on, whoever passed {home, same} after dark could see {the hero} and {the object}, and knew which way to go.
* And if you go to {home, same} on a still evening, you may hear {sound}, and know that {the hero} is near.
* {the hero, capital} never told the story, but everyone near {home, same} knows it by heart.
* [dark] Nobody has seen {the hero} since; but on some nights a light burns where none should be.
* And that, as they say near {home, same}, was only the beginning.
`,
})

function ownCast(topic: string | undefined): boolean {
  return topic !== undefined && castOf(topic.replace(/^(?:an?|the)\s+/i, ''), topic) !== undefined
}
