// Package lsa makes a table of static word vectors out of texts: latent
// semantic analysis over sub-words, written in the layout of Model2Vec.
//
//  1. Sub-words of a WordPiece vocabulary that stand near each other are
//     counted.
//  2. The counts become positive pointwise mutual information, shifted, with
//     smoothed contexts (Levy, Goldberg and Dagan, Improving Distributional
//     Similarity with Lessons Learned from Word Embeddings, 2015).
//  3. A truncated SVD gives each sub-word a vector, scaled by the square root
//     of the singular values (the same paper).
//  4. Frequent sub-words count less, and the direction that all texts share is
//     taken out (Arora, Liang and Ma, A Simple but Tough-to-Beat Baseline for
//     Sentence Embeddings, 2017), so that the mean of a text's vectors says
//     what is particular about it.
//
// It is a measuring aid for places where no model can be downloaded. Its
// vectors know the texts that they were made of and nothing else; it is not
// for products.
package lsa
