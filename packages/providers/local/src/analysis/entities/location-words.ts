import { wordList } from '../word-list.ts'

/** Common nouns that say that the name after them is a place's. */
export const locationNouns = wordList(
  `
    city town village region state province county district suburb island country capital port harbour harbor
    river lake mountain valley street road square beach neighbourhood neighborhood resort island-state kingdom
    republic
  `,
)

/** Last words of places' names. */
export const locationHeads = wordList(
  `
    ocean sea river lake lakes mountain mountains mount island islands bay gulf desert valley reef peninsula
    strait canyon falls street avenue road boulevard lane drive square stadium arena park airport bridge palace
    castle city county province district
  `,
  `
    beach harbor harbour coast forest hills hill heights cape point creek springs glacier volcano crater plateau
    basin canal highway station terminal tower square plaza court gardens garden zoo cemetery abbey temple
    mosque shrine fort port town village
  `,
  `
    kingdom republic empire islands archipelago territory state region range ridge pass trail plains prairie
    delta fjord lagoon oasis dam pier quay wharf embankment terrace alley close crescent mews hall center centre
    theatre theater
  `,
  `
    strasse straße gasse platz allee gracht straat laan quartier arrondissement wall gate arch cathedral
    basilica planitia line raceway speedway ground
  `,
)

/** First words of places' names, beside the plain gazetteer. */
export const locationOpeners = wordList(
  `
    gare castelo pont porte place île château schloss palazzo castello ponte praça praia cerro cabo golfo mount mt lake cape fort port san santa são saint st isle gulf rio río sierra monte playa rue via calle rua
    piazza plaza avenida avenue los las el loch glen ben puerto villa val wadi jebel koh pulau bad
  `,
)

/** Landforms, uncapitalised behind a name: "the Amazon rainforest". */
export const landforms = wordList(
  `
    river rainforest basin valley desert peninsula mountains islands airport coast estuary archipelago glacier
    strait canyon highlands province district
  `,
)

/** Who or what is of a place: "residents of", "the outskirts of". */
export const locationMembers = wordList(
  `
    residents people inhabitants citizens mayor bishop streets outskirts coast north south east west town city
    capital suburbs centre center heart port population government governor king queen duke prince
  `,
  'parts area shores banks gates walls skies roads rest',
)

/** What a place has: "Kenya's capital". */
export const locationBelongings = wordList(
  `
    capital government parliament economy population coast army president border minister streets old largest
    northern southern
  `,
)

/** Directions and sizes that make a new place of a known one: "North Korea", "Greater London". */
export const placeModifiers = wordList(
  `
    north south east west northern southern eastern western central new upper lower greater great little old
  `,
)

/** First words of places' names when `of` follows. */
export const realmOpeners = wordList('gulf bay isle strait cape sea republic kingdom empire duchy port rock')

/** Prepositions and verbs that mostly take a place. */
export const placePrepositions = wordList(
  `
    in near outside inside across throughout towards around into reached visit visited visiting leave left
  `,
)

/** Prepositions that take a place as often as something else. */
export const doubtfulPrepositions = wordList('to from at off through via over around under above on')

/** What may stand between the preposition and the place. */
export const placeAdjectives = wordList('the central northern southern eastern western downtown nearby sunny rural old')

/** What goes to or comes from places. */
export const travelWords = wordList(
  `
    flew moved fly went go travel travelled traveled train flight ferry trip road bus drive drove sailed way
    came come escaped exiled get trains buses
  `,
)

/** Places' names that are ordinary words as well. */
export const ambiguousPlaces = wordList(
  'nice split reading bath mobile of hull worms gary essen halle trent orange march',
)

/** Capitalised words that follow "in" and "at" and are no places: subjects, languages of computers, departments. */
export const notPlaces = wordList(`
  physics chemistry biology medicine literature economics mathematics maths history philosophy law engineering psychology
  bluetooth wifi html excel word python java javascript sql sales marketing finance accounting support legal hr
  phase round level row stage group class fig figure table appendix section chapter part
`)
