import type { SceneName } from './meaning.ts'

/**
 * People and animals: never drawn, always said so. Where one has a home, it may choose the scene.
 * Birds in flight are an object; a bird that is named by its kind is not.
 */
export const livingWords: readonly (readonly [home: SceneName | undefined, phrases: string])[] = [
  [
    'forest',
    'fox, deer, bear, wolf, owl, squirrel, rabbit, hedgehog, badger, moose, elk, stag, raccoon, boar, panda, tiger',
  ],
  [
    'forest',
    'monkey, gorilla, parrot, toucan, jaguar, leopard, frog, toad, snail, woodpecker, beaver, fairy, elf, gnome, troll',
  ],
  [
    'sea',
    'whale, dolphin, shark, fish, octopus, turtle, seal, crab, jellyfish, mermaid, surfer, swimmer, sailor, pirate',
  ],
  ['sea', 'fisherman, penguin, lobster, starfish, seahorse, sea turtle, otter, walrus, diver, fishing, pelican'],
  ['desert', 'camel, scorpion, snake, lizard, caravan, nomad, cowboy, vulture, meerkat, coyote'],
  [
    'meadow',
    'cow, horse, sheep, goat, pig, lamb, chicken, hen, rooster, duck, butterfly, bee, ladybug, pony, donkey, lion',
  ],
  [
    'meadow',
    'elephant, giraffe, zebra, rhino, hare, bull, farmer, shepherd, dragonfly, bunny, foal, rhinoceros, antelope',
  ],
  [
    'mountain',
    'eagle, hiker, climber, yak, llama, alpaca, skier, mountaineer, dragon, snowboarder, hawk, falcon, husky',
  ],
  ['mountain', 'swan, salmon fish, trout, heron, loon, polar bear, reindeer, monk'],
  [
    'city',
    'pedestrian, crowd, driver, cyclist, commuter, tourist, samurai, robot, superhero, businessman, policeman, dancer',
  ],
  ['space', 'astronaut, alien, cosmonaut, spaceman'],
  [
    undefined,
    'person, people, man, woman, boy, girl, child, kid, baby, lady, guy, couple, family, friend, portrait, face, human, hand',
  ],
  [
    undefined,
    'king, queen, prince, princess, knight, warrior, wizard, witch, soldier, doctor, teacher, nurse, chef, artist',
  ],
  [
    undefined,
    'dog, puppy, cat, kitten, animal, pet, hamster, mouse, rat, bird of paradise, unicorn, phoenix, insect, spider',
  ],
  [
    undefined,
    'dinosaur, hippo, kangaroo, koala, peacock, flamingo, crane bird, raven, crow, sparrow, robin, hummingbird, bat',
  ],
  [
    undefined,
    'musician, player, runner, mother, father, grandmother, grandfather, student, worker, bride, clown, angel, ghost',
  ],
  [
    undefined,
    'someone, figure, silhouette of a man, silhouette of a woman, traveler, traveller, wanderer, santa, teddy bear',
  ],
]
