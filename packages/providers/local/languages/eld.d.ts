/** Detects 60 languages. `language` is an ISO 639-1 code, or empty. */
export const eld: { detect(text: string): { readonly language: string; isReliable(): boolean } }
