const tones: Readonly<Record<string, RegExp>> = {
  formal: /\b(formal|professional|official|polite|business-?like|corporate|serious)\b/i,
  warm: /\b(warm|warmer|friendly|friendlier|kind|kinder|heartfelt|caring|casual|informal|cosy|cozy|gentle|personal|sincere|(?:to|for) my (?:girlfriend|boyfriend|wife|husband|mother|father|mum|mom|dad|sister|brother|daughter|son|grandma|grandpa|grandmother|grandfather|(?:best )?friend))\b/i,
  playful:
    /\b(funny|funnier|wittier|sillier|humou?rous|witty|playful|silly|cheeky|light-?hearted|fun|quirky|hilarious|joke)\b/i,
  upbeat:
    /\b(upbeat|happier|exciting|excited|enthusiastic|energetic|inspiring|motivational|inspirational|cheerful|happy|punchy)\b/i,
  dark: /\b(dark|darker|spooky|spookier|scary|scarier|sad|sadder|melanchol\w+|eerie|mysterious|ghost|horror|gloomy|haunted|haunting)\b/i,
  romantic: /\b(romantic|love|loving|valentine|tender)\b/i,
  urgent: /\b(urgent|urgently|asap|firm|immediate|immediately|stern|overdue)\b/i,
}

export const toneNames: readonly string[] = Object.keys(tones)

/** The tones that an instruction asks for, by the names that grammars use. */
export function findTones(instruction: string): Set<string> {
  return new Set(toneNames.filter((tone) => tones[tone]!.test(instruction)))
}
