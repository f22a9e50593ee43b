"""UI2Html: rebuild a page that is not seen, from a short request and yes/no questions."""
