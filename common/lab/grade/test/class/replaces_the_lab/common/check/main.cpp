// attack_proof: not the file of the lab
