/** What a browser says when it creates or uses no passkey. */
export class PasskeyError extends Error {}
