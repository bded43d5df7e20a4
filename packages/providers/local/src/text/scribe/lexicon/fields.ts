import { field } from './field.ts'

/** What a topic is taken to belong to; the last is for everything else. */
export const fields = [
  field('rain weather storm snow wind cloud fog thunder winter autumn spring summer season sun sky', {
    thing: 'puddles, umbrellas, clouds, gutters, raincoats, wet leaves',
    sight: 'a wet street, the gray window, a silver puddle, the bent grass, a closed umbrella, a low cloud',
    sound: 'the drumming on the roof, the far thunder, the drip of the gutter, the hush before the storm',
    place: 'the empty street, the old roof, the garden gate, the window',
    quality: 'soft, gray, patient, silver, restless, clear',
    verb: 'listening, waiting under the eaves, walking home, watching the sky',
    noun: 'drop, puddle, cloud, roof, gale, umbrella',
    'line of five':
      'clouds over the hill, the gutter whispers, a puddle of sky, one umbrella blooms, the garden drinks deep',
    'line of seven':
      'on the roof a thousand drums, the street lamps sway in the wind, the whole town has slowed its step, somewhere a window is closed',
    promise: 'a reason to go out, the good side of gray days, dry feet and high spirits, fresh air by the lungful',
    deed: 'laughs at the forecast, keeps its cool, never rains on your plans, shines when it matters',
    merit:
      'Keeps you dry without weighing you down, Packs away in seconds, Dries by the time you are home, Looks good under any sky',
  }),
  field(
    'sea ocean beach wave boat ship harbour harbor sailor island tide coast lighthouse fish whale river lake water marine diving',
    {
      thing: 'ropes, tides, sails, shells, salt, nets',
      sight: 'a lamp on the pier, the dark water, a white sail, the wet sand, the far horizon, a coil of rope',
      sound: 'the long breath of the waves, the cry of a gull, the creak of a mast, the bell on the buoy',
      place: 'the harbor, the breakwater, the quiet bay, the lighthouse',
      quality: 'wide, salt-bright, steady, deep, calm, untamed',
      verb: 'sailing, mending nets, watching the tide, coming home',
      noun: 'tide, sail, pier, anchor, gull, harbor',
      'line of five':
        'the tide turns at last, a bell out of sight, gulls over the pier, wet rope in cold hands, salt on the window',
      'line of seven':
        'the waves say it all again, far out a small light answers, the harbor folds up its sails, footprints fill up with water',
      promise: 'a wider horizon, the holiday that fits in an hour, salt on your lips, a calm that lasts',
      deed: 'brings the coast closer, knows which way the wind blows, never runs aground, goes a little deeper',
      merit:
        'Shrugs off salt and spray, Made for wet hands and high wind, Dries on the way home, Steady when nothing else is',
    },
  ),
  field(
    'forest tree wood mountain hill garden flower nature leaf moss meadow bird fox wolf bear deer owl animal rabbit lantern hedgehog camp hike hiking trail',
    {
      thing: 'roots, ferns, mushrooms, feathers, pine needles, footprints',
      sight: 'a path of moss, a tall pine, a patch of moonlight, the last fern, a hollow oak, the frosted grass',
      sound: 'the snap of a twig, the call of an owl, the wind in the branches, the stream under the stones',
      place: 'the edge of the forest, the hollow oak, the far hill, the clearing',
      quality: 'wild, green, quiet, rooted, bright, free',
      verb: 'following the path, listening, climbing, looking for tracks',
      noun: 'fern, oak, moss, hollow, feather, trail',
      'line of five':
        'moss on the old stones, one leaf lets go first, the stream talks all night, bark and honeyed light, snow on the last fern',
      'line of seven':
        'the path remembers our steps, an owl asks and no one speaks, deer drink at the edge of dusk, branches hold the evening up',
      promise: 'a breath of green, room to wander, the quiet you were missing, an hour with no walls',
      deed: 'grows on you, leaves only footprints, takes the scenic route, is at home outdoors',
      merit:
        'Light enough to carry all day, At home in mud and drizzle, Mended with a pocket knife, As quiet as the woods',
    },
  ),
  field(
    'coffee tea cafe café bakery bread cake cookie chocolate restaurant food cook cooking kitchen soup meal dinner breakfast pizza pasta recipe wine beer lunch brunch snack tomato cheese',
    {
      thing: 'fresh beans, warm bread, small cups, good butter, herbs, long tables',
      sight: 'a full cup, the warm oven, a dusting of flour, the morning counter, steam on the glass, a chipped plate',
      sound: 'the hiss of the kettle, the spoon against the cup, the low talk of regulars, the crack of a crust',
      place: 'the corner table, the counter, the kitchen, the open door',
      quality: 'warm, fresh, generous, golden, fragrant, honest',
      verb: 'brewing, baking, tasting, sharing a table',
      noun: 'cup, spoon, crumb, kettle, oven, counter',
      'line of five':
        'steam climbs from the cup, crumbs on the counter, the oven ticks down, a spoon rings the glass, cinnamon and smoke',
      'line of seven':
        'the kitchen wakes before us, warm bread under a clean cloth, outside the window still night, somebody asks for seconds',
      promise: 'the smell of home, a good morning, seconds without asking, the best part of the day',
      deed: 'gets up before you do, never skips the butter, knows you by your order, makes room for one more',
      merit:
        'Made in small batches, Nothing in it that you can’t pronounce, Best when shared, Gone sooner than you think',
    },
  ),
  field(
    'software app computer code programmer developer internet website data ai robot technology digital phone cloud api startup platform tool server keyboard laptop printer browser machine intelligence algorithm',
    {
      thing: 'screens, drafts, test runs, shortcuts, dashboards, late commits',
      sight:
        'a blinking cursor, the blue screen light, an open tab, a green check mark, the tangled cable, a quiet server',
      sound: 'the hum of a fan, the tap of a single key, the ping of a message, the click of a switch',
      place: 'the back of the office, the server room, the empty desk, the shared screen',
      quality: 'fast, simple, reliable, open, clever, tidy',
      verb: 'testing, shipping, sketching, fixing small things',
      noun: 'loop, cursor, spark, signal, stack, beacon',
      'line of five':
        'the cursor blinks on, one small light stays green, a fan hums in sleep, a tab left open, the screen dims itself',
      'line of seven':
        'somewhere a server answers, coffee cools beside the keys, the last bug leaves without noise, nobody touches the code',
      promise:
        'an hour back every day, one thing less to think about, calm in every click, the boring part done for you',
      deed: 'simply works, stays out of your way, never needs a manual, answers before you ask',
      merit: 'Set up in minutes, Works with what you already have, Nothing to learn by heart, Quiet until you need it',
    },
  ),
  field(
    'work office meeting team project invoice business company manager job career boss law lawyer legal firm agency consulting accountant hiring customer client deadline budget report product launch sales marketing strategy remote quarterly',
    {
      thing: 'deadlines, notes, calendars, open questions, small wins, first drafts',
      sight:
        'a full calendar, the long table, a whiteboard of arrows, an unread message, the last chair, a cold cup of coffee',
      sound: 'the murmur of a meeting, the phone in another room, the scratch of a marker, the closing of a laptop',
      place: 'the meeting room, the front desk, the corridor, the top floor',
      quality: 'clear, reliable, focused, practical, calm, thorough',
      verb: 'planning, asking early, deciding, sharing the draft',
      noun: 'compass, table, bridge, draft, window, anchor',
      'line of five':
        'cold coffee at noon, one chair still spinning, the last lamp goes out, a pen out of ink, Monday takes its coat',
      'line of seven':
        'the meeting ends with no end, on the whiteboard half a thought, someone waters the small plant, the inbox fills up like snow',
      promise: 'time for what matters, answers by Friday, a shorter to-do list, calm at a quarter to five',
      deed: 'reads the small print, calls you back, gets it done by Friday, says what it means',
      merit:
        'Clears the desk and the head, Ready before the meeting is, Easy to share with the team, Built for busy days',
    },
  ),
  field(
    'love friend friendship family wedding marriage wife husband girlfriend boyfriend partner mother father brother sister grandmother heart romance couple baby birthday anniversary home house parent',
    {
      thing: 'letters, old photographs, shared jokes, long evenings, small gifts, second helpings',
      sight:
        'a light in the window, the worn doorstep, a folded letter, a second cup on the table, an open hand, the family table',
      sound: 'the laugh down the hall, the key in the door, the old song, the name said softly',
      place: 'the kitchen table, the front step, the old bench, the garden',
      quality: 'warm, loyal, tender, patient, bright, true',
      verb: 'staying up late, telling old stories, making room, holding on',
      noun: 'hearth, doorstep, ribbon, letter, lamp, key',
      'line of five':
        'two cups on the sill, your coat on my chair, the porch light left on, old songs in the car, a name said softly',
      'line of seven':
        'we laugh before the joke ends, the kettle boils for us both, no one wants to leave the stairs, a hand finds another hand',
      promise: 'a place at the table, the people you would call first, the long goodbye at the door, a reason to stay',
      deed: 'remembers the little things, keeps its promises, makes room for one more, feels like home',
      merit: 'A gift with a story, Ready to wrap and ready to give, Better with the years, Small enough to post',
    },
  ),
  field('space star moon planet galaxy universe rocket astronaut mars night sky comet alien', {
    thing: 'stars, orbits, signals, dust, small windows, maps of the dark',
    sight: 'a thin new moon, a far star, a trail of dust, the curve of a planet, a single signal, the black sky',
    sound: 'the silence after the engines, the crackle on the radio, the slow heartbeat, the tick of cooling metal',
    place: 'the launch pad, the dark side of the moon, the small window, the edge of the map',
    quality: 'far, weightless, bright, silent, endless, curious',
    verb: 'drifting, counting stars, waiting for a signal, mapping the dark',
    noun: 'orbit, comet, beacon, signal, moon, compass',
    'line of five':
      'one star lags behind, dust in a sunbeam, the dark has no door, a small blue signal, moonlight on cold glass',
    'line of seven':
      'the radio counts to ten, so much night and one window, we wave at what cannot see, old light arrives in our eyes',
    promise: 'a bigger sky, room for the big questions, a view without edges, one small step a day',
    deed: 'looks further, starts where the maps end, keeps its feet on the ground, aims a little higher',
    merit:
      'Shows you more of the sky, At its best after dark, Easy for beginners and endless for the curious, Ready when the clouds part',
  }),
  field(
    'city street town train bus car road traffic building tower bridge travel trip journey hotel airport flight plane bicycle bike map lisbon paris london tokyo',
    {
      thing: 'tickets, street lamps, maps, corner shops, timetables, bridges',
      sight:
        'a lit window, the last tram, a rain-dark pavement, the long bridge, an open map, the first café of the morning',
      sound: 'the rattle of a train, the footstep on stone, the distant siren, the call of a market',
      place: 'the station, the corner, the old bridge, the market square',
      quality: 'busy, bright, lively, open, unhurried, well-connected',
      verb: 'walking, getting lost, changing trains, finding a corner table',
      noun: 'ticket, lamp post, bridge, corner, tram, map',
      'line of five':
        'rain on the tram rails, last train of the night, pigeons own the square, a window lights up, stairs down to the street',
      'line of seven':
        'strangers share one umbrella, the market folds up its cloth, a bell over the rooftops, on the bridge the whole crowd slows',
      promise: 'the long way home, a corner of your own, the best seat in town, a reason to take the stairs',
      deed: 'gets you there smiling, knows every short cut, is always on your way, never takes the long way round',
      merit:
        'Fits a coat pocket or a narrow hall, Easy on stairs and trains, Ready as soon as you are, At home in any street',
    },
  ),
  field(
    'school teacher student learn learning study book library reading education exam class university science history lesson course',
    {
      thing: 'notebooks, questions, margins, sharp pencils, shelves, good mistakes',
      sight: 'an open book, a cloud of chalk, a crowded margin, the last page, a worn satchel, the reading lamp',
      sound: 'the turning of a page, the end-of-day bell, the whispered answer, the squeak of chalk',
      place: 'the library, the back row, the reading room, the school gate',
      quality: 'curious, clear, patient, thoughtful, bright, well-read',
      verb: 'reading, asking why, trying again, taking notes',
      noun: 'margin, chalk, shelf, page, lamp, bookmark',
      'line of five':
        'chalk dust in the sun, a page left unturned, pencils in a row, the bell sets us free, ink on both his hands',
      'line of seven':
        'one question fills up the room, in the margin a small boat, someone has solved it in pen, the library holds its breath',
      promise: 'the question after the answer, a head start for curious minds, the joy of getting it, doors that open',
      deed: 'makes it click, likes a good question, never makes you feel small, starts where you are',
      merit:
        'Clear from the first page, Made for small hands and big questions, Room in the margins, Stands up to daily use',
    },
  ),
  field(
    'health exercise fitness yoga run running sport football soccer gym sleep stress meditation doctor hospital wellness body mind walk walking',
    {
      thing: 'running shoes, deep breaths, early mornings, small habits, water bottles, rest days',
      sight:
        'the empty track, a worn pair of shoes, the first light, an open window, a long stretch of road, a rolled-up mat',
      sound: 'the steady breath, the crunch of gravel, the heartbeat, the final whistle',
      place: 'the park, the starting line, the quiet room, the long road',
      quality: 'steady, strong, calm, light, rested, resilient',
      verb: 'breathing, stretching, starting small, keeping the pace',
      noun: 'stride, breath, morning, path, spring, track',
      'line of five':
        'breath clouds in the cold, shoes wait by the door, the hill asks again, one more quiet mile, the heart keeps its time',
      'line of seven':
        'gravel counts each step we take, the long road leans into dawn, sleep comes in through the window, a light rain on weary feet',
      promise: 'a lighter step, mornings you look forward to, breath to spare, a body that says yes',
      deed: 'meets you where you are, keeps up with you, goes easy on Mondays, makes tomorrow lighter',
      merit:
        'Easy on joints and nerves, Comfortable from the first minute, Clean again in no time, Fits into ten spare minutes',
    },
  ),
  field(
    'music song band guitar piano dance art paint painting painter theater theatre movie film photo photography poem design fashion concert headphones speaker radio',
    {
      thing: 'sketches, chords, colors, rehearsals, posters, second takes',
      sight: 'a blank canvas, a single stage light, a worn guitar, the red curtain, a streak of paint, the front row',
      sound: 'the held note, the hush before the first bar, the applause in the next room, the count of four',
      place: 'the stage, the studio, the rehearsal room, the gallery',
      quality: 'bold, vivid, graceful, expressive, playful, original',
      verb: 'rehearsing, sketching, improvising, listening',
      noun: 'chord, canvas, curtain, encore, sketch, drum',
      'line of five':
        'one note hangs in air, paint under her nails, dust on the guitar, the curtain breathes in, fingers find the chord',
      'line of seven':
        'the hall goes dark all at once, a red that was not there yet, the drummer counts us to four, someone hums it going home',
      promise: 'the song you leave with, goosebumps included, the courage to be loud, color for gray days',
      deed: 'never plays it safe, stays in your head, leaves room for the encore, turns heads and volume up',
      merit:
        'Warm and honest to the ear, Feels right in the hands, Looks as good as it sounds, Ready in the time it takes to count to four',
    },
  ),
  field('cat dog pet puppy kitten horse hamster parrot', {
    thing: 'paws, leads, warm blankets, chewed slippers, treats, muddy footprints',
    sight: 'a curled tail, the sunny windowsill, a wet nose, an empty bowl, the favorite chair, a muddy paw print',
    sound: 'the low purr, the patter on the kitchen floor, the sleepy sigh, the rustle of a treat bag',
    place: 'the foot of the bed, the back garden, the warm windowsill, the front door',
    quality: 'loyal, curious, soft, playful, bold, gentle',
    verb: 'napping, chasing shadows, begging politely, guarding the sofa',
    noun: 'paw, whisker, tail, basket, ribbon, biscuit',
    'line of five':
      'paw prints on the floor, a tail in the sun, one ear still awake, the bowl rings at six, fur on my good coat',
    'line of seven':
      'the whole sofa is taken, she dreams with all of her feet, nose to the glass until dusk, the leash jingles in the hall',
    promise: 'a happier tail, a friend for life, the warmest welcome of the day, muddy paws and no regrets',
    deed: 'speaks fluent tail, goes the extra walk, passes the wet-nose test, knows who is really in charge',
    merit:
      'Gentle on paws and noses, Stands up to enthusiastic chewing, Wipes clean after wet walks, Approved by the pickiest whiskers',
  }),
  field('money bank finance saving invest investment tax price cost loan rent insurance', {
    thing: 'receipts, small savings, ledgers, round numbers, plans, rainy-day jars',
    sight: 'a neat column of figures, the jar of coins, an open ledger, the last receipt',
    sound: 'the clink of coins, the scratch of a pen, the sigh of relief, the rustle of paper',
    place: 'the kitchen table, the bank counter, the bottom line, the office',
    quality: 'careful, steady, transparent, fair, prudent, patient',
    verb: 'saving, comparing, counting twice, planning ahead',
    noun: 'coin, ledger, acorn, jar, anchor, penny',
    'line of five':
      'coins in a glass jar, the last bill is paid, columns in pencil, a receipt unfolds, small change in old coats',
    'line of seven':
      'the ledger closes itself, we count it twice and breathe out, a penny saved in each shoe, the kettle waits for payday',
    promise: 'sleep at night, no small print, a softer landing, room to breathe',
    deed: 'counts every penny, explains itself, keeps its word, thinks beyond payday',
    merit: 'No fees that hide, Clear figures at a glance, Five minutes a week, Yours to stop at any time',
  }),
  field('energy solar climate environment recycling plastic green planet electric battery light lamp sustainable', {
    thing: 'panels, small lights, second uses, long evenings, rechargeable cells, clear skies',
    sight: 'a lamp in the dark, the sunlit roof, a row of panels, the clean shore, a warm circle of light',
    sound: 'the quiet hum of a motor, the wind in the blades, the click of a switch, the morning birds',
    place: 'the sunny roof, the campsite, the back porch, the shore',
    quality: 'bright, clean, durable, efficient, light, dependable',
    verb: 'charging, repairing, saving power, planting',
    noun: 'ray, spark, leaf, lantern, meadow, current',
    'line of five':
      'sun stored in a jar, the meter slows down, blades turn on the hill, warm glass on the roof, one lamp in the woods',
    'line of seven':
      'at dusk the day is still here, the wind does the work tonight, a small glow beside the tent, moths come to ask what it is',
    promise: 'light when it counts, evenings that last longer, a clear conscience, power that grows back',
    deed: 'runs on good ideas, outlasts the evening, leaves no mark, stays bright when others fade',
    merit:
      'Makes the most of every sunny hour, Quiet from morning to night, Asks for next to nothing, Made to outlast the fashion',
  }),
  field('', {
    thing: 'apples, lamp oil, warm socks, honey, old keys, string',
    sight: 'a lamp in a window, a gate left open, a folded map, the morning light, a crooked chimney, an empty bench',
    sound: 'a bell far away, the turning of a key, footsteps on the stair, rain on a tin roof',
    place: 'the crossroads, the old bridge, the market square, the hill',
    quality: 'simple, clear, bright, thoughtful, lasting, honest',
    verb: 'looking closely, beginning again, waiting, taking notes',
    noun: 'door, lamp, bell, hill, thread, map',
    'line of five':
      'a door left open, the first light of day, one cup growing cold, the clock clears its throat, nobody looks up',
    'line of seven':
      'somewhere a kettle whistles, the whole street leans in to hear, an old key finds an old lock, the evening sits down with us, what we wanted was so small',
    promise: 'a reason to smile, the little things done right, time well spent, something to look forward to',
    deed: 'keeps its word, does one thing right, makes your day, you will tell your friends about',
    merit:
      'Thoughtful details down to the last edge, Easy to carry and easy to give, Made to last and simple to care for, Right from the first day',
  }),
] as const
