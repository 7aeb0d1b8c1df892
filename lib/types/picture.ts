/** A picture as MCP servers send it: base64 and its media type. */
export type Picture = { data: string; mimeType: string };

/** A picture that a server declares for itself or a part of its offer. Only `data:` ones are ever shown: others would load from elsewhere. */
export type Icon = { src: string; mimeType?: string; sizes?: string[] };
